#include <catch2/catch.hpp>

#include "by_line.h"
#include "link/graph/graph.h"
#include "reading.h"

using namespace xtrace;

namespace {

const std::string kVibeAsks = R"({"role":"user","content":"weed the beds","message_id":"u-1"})";
const std::string kVibeUses =
    R"({"role":"assistant","content":"","reasoning_content":"a hoe","tool_calls":[{"id":"h1",)"
    R"("index":0,"type":"function","function":{"name":"hoe","arguments":"{\"bed\":3}"}}],)"
    R"("message_id":"a-1"})";
const std::string kVibeFails = R"({"role":"tool","content":"<tool_error>no hoe</tool_error>",)"
                               R"("name":"hoe","tool_call_id":"h1"})";
const std::string kVibeReminds =
    R"({"role":"user","content":"it is late","injected":true,"message_id":"u-2"})";
const std::string kVibeEnds = R"({"role":"assistant","content":"by hand then","message_id":"a-2"})";

const std::string kVibeAbout =
    R"({"session_id":"5eed","start_time":"2026-03-01T10:00:00","total_messages":5,)"
    R"("environment":{"working_directory":"/srv/beds"},"title":"Weeds",)"
    R"("config":{"active_model":"devstral"},"stats":{"steps":2,"session_prompt_tokens":900,)"
    R"("session_completion_tokens":40,"session_cached_tokens":600,)"
    R"("session_total_llm_tokens":940,"session_cost":0.25}})";

/// Both forms in which a session is kept.
Trace read_vibe_session(bool is_folder) {
  Folder folder;
  Progress progress;
  const std::string lines = kVibeAsks + "\n" + kVibeUses + "\n" + kVibeFails + "\n" + kVibeReminds +
                            "\n" + kVibeEnds + "\n";
  if (is_folder) {
    folder.write("session_1/messages.jsonl", lines);
    folder.write("session_1/meta.json", kVibeAbout);
  } else {
    folder.write("session_1.json", "{\"metadata\":" + kVibeAbout + ",\"messages\":[" + kVibeAsks +
                                       "," + kVibeUses + "," + kVibeFails + "," + kVibeReminds +
                                       "," + kVibeEnds + "]}");
  }
  return load({folder.path()}, {}, progress).value();
}

}  // namespace

TEST_CASE("a session of Vibe is read from its folder as from its document") {
  const bool is_folder = GENERATE(true, false);
  const Trace trace = read_vibe_session(is_folder);
  CHECK(complaints_of(trace) == "");
  for (const Source& source : trace.sources) CHECK(source.format == "vibe");
  REQUIRE(trace.calls.size() == 2);
  for (const Call& call : trace.calls) {
    CHECK(trace[call.session] == "5eed");
    CHECK(call.start == kNoTime);
    CHECK(call.tokens == Tokens{});
  }
  const Graph graph = link(read_vibe_session(is_folder), {});
  REQUIRE(graph.activities().tools_of(CallId(0)).size() == 1);
  CHECK(graph.activities().tools_of(CallId(0)).front().outcome == Outcome::error);
}

TEST_CASE("what a session of Vibe used up is stated once, with the model") {
  const Trace trace = read_vibe_session(GENERATE(true, false));
  REQUIRE(trace.usage_statements.size() == 1);
  const UsageStatement& total = trace.usage_statements.front();
  CHECK(trace[total.session] == "5eed");
  CHECK(trace[total.model] == "devstral");
  CHECK(total.tokens == Tokens{.input = 300, .output = 40, .cache_read = 600});
  CHECK(total.cost == 250'000'000);
}

TEST_CASE("what Vibe adds in the user's name is no prompt of the user's") {
  const Trace trace = read_vibe_session(true);
  REQUIRE(trace.calls.size() == 2);
  REQUIRE(trace.calls[1].request);
  CHECK(trace[trace.calls[1].request].role == Message::Role::other);
}

TEST_CASE("messages of Vibe without their meta.json are a session called as the folder") {
  Folder folder;
  Progress progress;
  folder.write("session_1/messages.jsonl", kVibeAsks + "\n" + kVibeEnds + "\n");
  const Trace trace = load({folder.path()}, {}, progress).value();
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace[trace.calls[0].session] == "session_1");
}

TEST_CASE("a session of Vibe that goes on with another one has its messages once more") {
  Folder folder;
  Progress progress;
  std::string about = kVibeAbout;
  about.replace(about.find("5eed"), 4, "5eee");
  const std::string next = R"({"role":"user","content":"and water","message_id":"u-3"})"
                           "\n"
                           R"({"role":"assistant","content":"done","message_id":"a-3"})"
                           "\n";
  folder.write("session_1/messages.jsonl", kVibeAsks + "\n" + kVibeEnds + "\n");
  folder.write("session_1/meta.json", kVibeAbout);
  folder.write("session_2/messages.jsonl", kVibeAsks + "\n" + kVibeEnds + "\n" + next);
  folder.write("session_2/meta.json", about);
  CHECK(load({folder.path()}, {}, progress).value().calls.size() == 2);
}
