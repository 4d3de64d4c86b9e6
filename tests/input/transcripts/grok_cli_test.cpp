#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "link/graph/graph.h"
#include "reading.h"

using namespace xtrace;

namespace {

using Json = nlohmann::json;

}  // namespace

TEST_CASE("a step that grok-cli prints is a call, with all tools that it asked for") {
  const auto line = [](const char* type, int step, int at, Json more) {
    more.update({{"type", type},
                 {"sessionID", "g"},
                 {"stepNumber", step},
                 {"timestamp", 1788250000000 + at}});
    return more.dump() + "\n";
  };
  const auto tool = [](const char* id, bool is_fine) {
    return Json({{"toolCall",
                  {{"id", id},
                   {"type", "function"},
                   {"function", {{"name", "bash"}, {"arguments", "{\"command\":\"ls\"}"}}}}},
                 {"toolResult", {{"success", is_fine}, {"output", "a"}}},
                 {"timing", {{"startedAt", 1788250000500}, {"finishedAt", 1788250000900}}}});
  };
  const auto usage = [](int input, int output) {
    return Json(
        {{"usage",
          {{"inputTokens", input}, {"outputTokens", output}, {"totalTokens", input + output}}}});
  };
  const std::string log =
      line("step_start", 1, 0, Json::object()) + line("tool_use", 1, 900, tool("c1", true)) +
      line("tool_use", 1, 900, tool("c2", false)) + line("step_finish", 1, 950, usage(30, 2)) +
      line("step_start", 2, 1000, Json::object()) + line("text", 2, 1500, {{"text", "no"}}) +
      line("step_finish", 2, 1600, usage(31, 1)) +
      R"({"type":"run_finish","sessionID":"g","success":true})"
      "\n";
  const Graph graph = link(read_log(log), {});
  const Trace& trace = graph.trace();
  CHECK(complaints_of(trace) == "");
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace.calls[0].duration == std::chrono::milliseconds(500));
  CHECK(trace.calls[1].duration == std::chrono::milliseconds(500));
  CHECK(trace.calls[0].tokens == Tokens{.input = 30, .output = 2});
  CHECK(trace.calls[1].tokens == Tokens{.input = 31, .output = 1});
  const std::span<const Activity> tools = graph.activities().tools_of(CallId(0));
  REQUIRE(tools.size() == 2);
  CHECK(tools[0].outcome == Outcome::ok);
  CHECK(tools[0].duration == std::chrono::milliseconds(400));
  CHECK(tools[1].outcome == Outcome::error);
}

TEST_CASE("a run of grok-cli that failed is a call that failed") {
  const Trace trace = read_log(
      R"({"type":"step_start","sessionID":"g","stepNumber":1,"timestamp":1788250000000})"
      "\n"
      R"({"type":"error","sessionID":"g","timestamp":1788250000100,"message":"connect ETIMEDOUT"})"
      "\n");
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace.calls[0].outcome == Outcome::error);
  CHECK(trace[trace.calls[0].error] == "ETIMEDOUT");
}
