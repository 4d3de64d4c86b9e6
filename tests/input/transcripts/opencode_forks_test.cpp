#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "link/graph/graph.h"
#include "reading.h"

using namespace xtrace;

namespace {

/// A session made at that second, whose messages have ids of its own: a prompt and its answer each
/// two seconds, the first of these with a tool.
std::string session_of(const std::string& id, int made, std::initializer_list<int> seconds) {
  std::string messages;
  for (int second : seconds) {
    const auto at = [&](int later) { return std::to_string(1788422400 + second + later) + "000"; };
    const std::string name = fmt::format("{}_{}", id, second);
    const std::string tool =
        second > 0
            ? ""
            : R"({"type":"tool","callID":"t1","tool":"bash",)"
              R"("state":{"status":"completed","input":{"command":"ls"},"output":"o","time":{"start":)" +
                  at(1) + R"(,"end":)" + at(1) +
                  R"(}}},{"type":"tool","callID":"t2",)"
                  R"("tool":"task","state":{"status":"completed","input":{"prompt":"Find"},"output":"b",)"
                  R"("metadata":{"sessionId":"ses_child"}}},)";
    messages += fmt::format(
        R"({0}{{"info":{{"id":"u_{1}","sessionID":"{2}","role":"user","time":{{"created":{3}}}}},)"
        R"("parts":[{{"type":"text","text":"go"}}]}},{{"info":{{"id":"a_{1}","sessionID":"{2}",)"
        R"("role":"assistant","modelID":"m","cost":0.5,"tokens":{{"input":10,"output":20}},)"
        R"("time":{{"created":{3},"completed":{4}}}}},"parts":[{5}{{"type":"text","text":"went"}}]}})",
        messages.empty() ? "" : ",", name, id, at(0), at(1), tool);
  }
  return R"({"info":{"id":")" + id + R"(","directory":"/g","time":{"created":)" +
         std::to_string(1788422400 + made) + R"(000}},"messages":[)" + messages + "]}";
}

std::string calls_and_ways(const Graph& graph) {
  const Trace& trace = graph.trace();
  std::string told;
  for (const Call& call : trace.calls)
    if (call.outcome != Outcome::unrecorded) told += fmt::format("{} ", trace[call.id]);
  for (const Link& link : graph.links())
    if (link.kind == LinkKind::continuation || link.kind == LinkKind::subagent_spawn)
      told += fmt::format("{}>{} ", trace[trace[link.from].id], trace[trace[link.to].id]);
  return told;
}

}  // namespace

TEST_CASE("what a fork of an OpenCode session takes over counts once, in a fork of a fork too") {
  Folder folder;
  folder.write("a-fork.json", session_of("ses_fork", 10, {0, 2, 12}));
  folder.write("b-fork.json", session_of("ses_again", 20, {0, 2, 12, 22}));
  folder.write("c.json", session_of("ses_main", 0, {0, 2, 4}));
  Progress progress;
  const Graph graph = link(load({folder.path()}, {}, progress).value(), {});
  CHECK(calls_and_ways(graph) ==
        "a_ses_fork_12 a_ses_again_22 a_ses_main_0 a_ses_main_2 a_ses_main_4 "
        "a_ses_main_0>a_ses_main_2 a_ses_main_2>a_ses_main_4 a_ses_main_0>agent-ses_child "
        "a_ses_main_2>a_ses_fork_12 a_ses_fork_12>a_ses_again_22 ");
}

TEST_CASE("a fork of an OpenCode session that is not on record is all there is of it") {
  const Trace trace = read_log(session_of("ses_fork", 10, {0, 2, 12}));
  CHECK(trace.calls.size() == 4);  // with the subagent
}
