#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "by_line.h"
#include "reading.h"
#include "reread.h"

using namespace xtrace;

namespace {

using Json = nlohmann::json;

std::string line(const char* type, Json more) {
  static int second = 10;
  more.update({{"type", type},
               {"session_id", "s"},
               {"timestamp", "2026-01-01T10:00:" + std::to_string(second++ % 50 + 10) + "Z"}});
  return more.dump() + "\n";
}

const std::string kStart =
    "{\"type\":\"session_start\",\"id\":\"s1\",\"cwd\":\"/g\",\"version\":2}\n";

/// A line of a session; `more` is in the message.
std::string said(const char* role, const char* text, const char* visibility,
                 const Json& more = {}) {
  static int second = 10;
  Json message = {{"role", role}, {"content", {{{"type", "text"}, {"text", text}}}}};
  if (!more.is_null()) message.update(more);
  Json line = {{"type", "message"},
               {"id", "d" + std::to_string(second)},
               {"timestamp", "2026-01-01T10:00:" + std::to_string(second++) + "Z"},
               {"message", message}};
  if (*visibility != '\0') line["visibility"] = visibility;
  return line.dump() + "\n";
}

std::string outcome(const char* reason) {
  return Json({{"type", "agent_turn_outcome"}, {"turnId", "t"}, {"reason", reason}}).dump() + "\n";
}

}  // namespace

TEST_CASE("what droid exec streams is a session, and tool calls of one message are one call") {
  const std::string log =
      line("system", {{"subtype", "init"}, {"model", "opus"}, {"cwd", "/g"}}) +
      line("message", {{"role", "user"}, {"id", "m1"}, {"text", "look"}}) +
      line("tool_call", {{"id", "c1"},
                         {"messageId", "m2"},
                         {"toolName", "Read"},
                         {"parameters", {{"path", "a"}}}}) +
      line("tool_call", {{"id", "c2"},
                         {"messageId", "m2"},
                         {"toolName", "Read"},
                         {"parameters", {{"path", "b"}}}}) +
      line("tool_result", {{"id", "c1"}, {"isError", true}, {"value", "none"}}) +
      line("tool_result", {{"id", "c2"}, {"isError", false}, {"value", "b"}}) +
      line("message", {{"role", "assistant"}, {"id", "m4"}, {"text", "done"}}) +
      line("completion", {{"finalText", "done"}, {"numTurns", 2}});
  Folder folder;
  Progress progress;
  const Graph graph = link(load({folder.write("exec.jsonl", log)}, {}, progress).value(), {});
  const Trace& trace = graph.trace();
  CHECK(trace.sources.front().format == "droid");
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace[trace.calls[0].session] == "s");
  CHECK(trace[trace.calls[0].model] == "opus");
  CHECK(links_by_line(graph) == "3->7 tool_use_id error\n3->7 tool_use_id\n3->7 transcript");
  CHECK(Excerpts(trace).of(trace.calls[1]).answer == "done");
}

TEST_CASE("the tokens of a whole session of Droid are shared out among no calls") {
  const Json settings = {{"tokenUsage", {{"inputTokens", 900}, {"outputTokens", 310}}},
                         {"assistantActiveTimeMs", 9000},
                         {"model", "opus"}};
  Folder folder;
  folder.write("s.settings.json", settings.dump(1));
  folder.write("s.jsonl",
               R"({"type":"session_start","id":"s","title":"t","cwd":"/g"})"
               "\n"
               R"({"type":"message","id":"m1","timestamp":"2026-01-01T10:00:00Z",)"
               R"("message":{"role":"user","content":[{"type":"text","text":"a"}]}})"
               "\n"
               R"({"type":"message","id":"m2","timestamp":"2026-01-01T10:00:02Z",)"
               R"("message":{"role":"assistant","content":[{"type":"text","text":"b"}]}})"
               "\n");
  Progress progress;
  const Trace trace = load({folder.path()}, {}, progress).value();
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace.calls[0].tokens == Tokens{});
  CHECK_FALSE(trace.calls[0].model);
  for (const Source& source : trace.sources) CHECK(source.format == "droid");
}

TEST_CASE("what Droid shows the user alone is no answer and no prompt") {
  std::string log = kStart;
  log += said("user", "go", "");
  log += said("assistant", "yes", "");
  log += said("assistant", "Limit reached", "user_only");
  log += said("user", "on", "");
  log += said("assistant", "no", "");
  CHECK(read_log(log).calls.size() == 2);
}

TEST_CASE("an answer of Droid names its model, and is no answer of pi") {
  const std::string log =
      kStart + said("user", "go", "") +
      said("assistant", "yes", "", {{"modelId", "opus"}, {"reasoningEffort", "high"}}) +
      said("user", "on", "") + said("assistant", "no", "", {{"modelId", "sonnet"}});
  const Trace trace = read_log(log);
  CHECK(complaints_of(trace) == "");
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace[trace.calls[0].model] == "opus");
  CHECK(trace[trace.calls[1].model] == "sonnet");
}

TEST_CASE("what Droid tells the model alone is no prompt of the user's") {
  const bool is_in_message = GENERATE(false, true);
  const std::string hidden = is_in_message
                                 ? said("user", "the files are", "", {{"visibility", "llm_only"}})
                                 : said("user", "the files are", "llm_only");
  const Graph graph = link(read_log(kStart + said("user", "go", "") + said("assistant", "yes", "") +
                                    hidden + said("assistant", "so", "")),
                           {});
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() == 2);
  REQUIRE(trace.calls[1].request);
  CHECK(trace[trace.calls[1].request].role == Message::Role::other);
}

TEST_CASE("a turn of Droid that failed is a call that failed where an answer is owed") {
  const auto calls = [](const std::string& log) {
    std::string told;
    const Trace trace =
        read_log(kStart + said("user", "go", "") + said("assistant", "yes", "") + log);
    CHECK(complaints_of(trace) == "");
    for (const Call& call : trace.calls)
      told += fmt::format("{} {};", word(call.outcome), trace[call.error]);
    return told;
  };
  const std::string asks = said("user", "on", "") + said("user", "no money", "user_only");
  CHECK(calls(outcome("completed")) == "ok ;");
  CHECK(calls(outcome("error")) == "ok ;");
  CHECK(calls(outcome("completed") + asks + outcome("error")) == "ok ;error error;");
  CHECK(calls(outcome("completed") + asks + outcome("cancelled")) == "ok ;error aborted;");
  // What any other word means is not known.
  CHECK(calls(asks + outcome("handed over")) == "ok ;");
}

TEST_CASE("of a session of Droid and backups of its settings what tells most counts") {
  const auto settings = [](int output) {
    return Json({{"tokenUsage", {{"inputTokens", 900}, {"outputTokens", output}}},
                 {"assistantActiveTimeMs", 9000},
                 {"model", "opus"}})
        .dump();
  };
  Folder folder;
  const std::string talk = said("user", "go", "") + said("assistant", "yes", "");
  folder.write("s1.jsonl", kStart + talk);
  folder.write("s1.settings.json", settings(310));
  folder.write("s1.settings.json.bak", settings(GENERATE(310, 200)));
  folder.write(
      "s2.jsonl",
      R"({"type":"session_start","id":"s2","callingSessionId":"s1","callingToolUseId":"t"})"
      "\n" +
          talk);
  folder.write("s2.settings.json", settings(40));
  Progress progress;
  const Trace trace = load({folder.path()}, {}, progress).value();
  std::vector<int64_t> output;
  for (const UsageStatement& row : trace.usage_statements)
    if (row.counts()) output.push_back(row.tokens.output);
  CHECK(output == std::vector<int64_t>{310, 40});
  CHECK(trace.usage_statements.size() == 3);
}

TEST_CASE("settings of Droid are told from other counts by all that they have") {
  const Json counts = {{"inputTokens", 9},
                       {"outputTokens", 8},
                       {"cacheReadTokens", 7},
                       {"thinkingTokens", 0},
                       {"cacheCreationTokens", 6}};
  Json settings = {{"model", "opus"}, {"autonomyMode", "auto-high"}, {"tokenUsage", counts}};
  const auto is_read = [](const Json& settings) {
    Folder folder;
    folder.write("s1.jsonl", kStart + said("user", "go", "") + said("assistant", "yes", ""));
    folder.write("s1.settings.json", settings.dump(1));
    Progress progress;
    return load({folder.path()}, {}, progress).value().usage_statements.size() == 1;
  };
  CHECK(is_read(settings));
  for (const char* key : {"model", "autonomyMode", "tokenUsage"}) {
    Json less = settings;
    less.erase(key);
    CHECK_FALSE(is_read(less));
  }
  settings["tokenUsage"].erase("thinkingTokens");
  CHECK_FALSE(is_read(settings));
}
