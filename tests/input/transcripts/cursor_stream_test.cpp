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
