#include <catch2/catch.hpp>

#include "link/activities/activities.h"
#include "link/graph/graph.h"
#include "reading.h"
#include "reread.h"

using namespace xtrace;

TEST_CASE("what Cursor's CLI prints is a session of Cursor, with its tools and what they gave") {
  Folder folder;
  Progress progress;
  const Graph graph =
      link(load({folder.write("log.jsonl", project_file("fixtures/agents/cursor-stream.jsonl"))},
                {}, progress)
               .value(),
           {});
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() == 3);
  CHECK(trace[trace.calls[0].session] == "cu-1");
  CHECK(trace[trace.calls[0].model] == "claude-4-sonnet");
  const auto tools_of = [&](size_t call) {
    return graph.activities().tools_of(graph.timeline().in_order()[call]);
  };
  REQUIRE(tools_of(0).size() == 1);
  CHECK(tools_of(0)[0].tool == "read");
  CHECK(tools_of(0)[0].outcome == Outcome::ok);
  REQUIRE(tools_of(1).size() == 1);
  CHECK(tools_of(1)[0].tool == "shell");
  CHECK(tools_of(1)[0].outcome == Outcome::error);
  Excerpts excerpts(trace);
  CHECK(excerpts.of(trace.calls[0]).prompt == "dig");
  CHECK(excerpts.of(trace.calls[2]).answer == "It rains.");
}

TEST_CASE("lines of one answer that Cursor's CLI gives one id are one call") {
  const std::string id = R"("session_id":"s","model_call_id":"m","timestamp_ms":)";
  const auto line = [&](const std::string& text, const std::string& time) {
    return R"({"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":")" +
           text + "\"}]}," + id + time + "}\n";
  };
  const Trace trace = read_log(line("one", "1772323200000") + line("two", "1772323201000"));
  CHECK(trace.calls.size() == 1);
}

namespace {

/// A line of the transcript that Cursor keeps.
std::string cursor_line(const char* role, const std::string& piece) {
  return std::string(R"({"role":")") + role + R"(","message":{"content":[)" + piece + "]}}\n";
}
std::string cursor_words(const char* role, const char* words) {
  return cursor_line(role, std::string(R"({"type":"text","text":")") + words + "\"}");
}
std::string cursor_use(const char* tool) {
  return cursor_line("assistant",
                     std::string(R"({"type":"tool_use","name":")") + tool + R"(","input":{}})");
}

Trace beside_the_stream(const std::string& kept) {
  Folder folder;
  Progress progress;
  folder.write("logs/run.jsonl", project_file("fixtures/agents/cursor-stream.jsonl"));
  folder.write("logs/cu-1.jsonl", kept);
  return load({folder.path() + "/logs"}, {}, progress).value();
}

const std::string kKeptByCursor = cursor_words("user", "dig") + cursor_use("read") +
                                  cursor_use("shell") + cursor_words("assistant", "It rains.");

}  // namespace

TEST_CASE(
    "what Cursor keeps of a session without times and results gives way to what a run printed") {
  const Graph graph = link(beside_the_stream(kKeptByCursor), {});
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() == 3);
  CHECK(trace[trace.calls[0].model] == "claude-4-sonnet");
  CHECK(graph.activities().tools_of(graph.timeline().in_order()[1])[0].outcome == Outcome::error);
}

TEST_CASE("what Cursor keeps of a session that went on after the run counts as it is kept") {
  const Trace trace = beside_the_stream(
      kKeptByCursor + cursor_words("user", "and tomorrow?") + cursor_words("assistant", "Sun.") +
      cursor_words("user", "and then?") + cursor_words("assistant", "Snow."));
  CHECK(trace.calls.size() == 5);
}
