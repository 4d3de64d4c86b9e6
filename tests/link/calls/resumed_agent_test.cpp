#include <catch2/catch.hpp>

#include "link/graph/graph.h"
#include "reading.h"

using namespace xtrace;

namespace {

std::string goes(const char* uuid, const char* after, int second, const std::string& more) {
  const std::string before = *after == 0 ? "null" : '"' + std::string(after) + '"';
  return R"({"sessionId":"s","uuid":")" + std::string(uuid) + R"(","parentUuid":)" + before +
         R"(,"timestamp":"2026-01-01T10:00:)" + std::to_string(second) + R"(Z",)" + more + "}\n";
}

std::string asks(const std::string& content, const std::string& more = {}) {
  return R"("type":"user","message":{"role":"user","content":)" + content + "}" + more;
}

std::string answers(const std::string& id, const std::string& piece, const std::string& more = {}) {
  return R"("type":"assistant","message":{"id":")" + id + R"(","role":"assistant","content":[)" +
         piece + "]}" + more;
}

std::string text(const std::string& words) {
  return R"({"type":"text","text":")" + words + "\"}";
}

std::string gives(const std::string& use, const std::string& words) {
  return R"([{"type":"tool_result","tool_use_id":")" + use + R"(","content":")" + words + "\"}]";
}

}  // namespace

TEST_CASE("an agent that ended goes on with what SendMessage tells it, and reports once more") {
  const std::string agent = R"(,"isSidechain":true,"agentId":"a1")";
  const std::string log =
      goes("1", "", 10, asks(R"("go")")) +
      goes("2", "1", 12,
           answers("m1",
                   R"({"type":"tool_use","id":"t1","name":"Task","input":{"prompt":"dig"}})")) +
      goes("3", "2", 20, asks(gives("t1", "dug"), R"(,"toolUseResult":{"agentId":"a1"})")) +
      goes("4", "3", 22,
           answers("m2", R"({"type":"tool_use","id":"t2","name":"SendMessage",)"
                         R"("input":{"to":"a1","message":"dig on"}})")) +
      goes("5", "4", 23, asks(gives("t2", "resumed"))) +
      goes("6", "5", 40,
           asks(R"("<task-notification>\n<task-id>a1</task-id>\n<status>completed</status>\n)"
                R"(<summary>x</summary>\n<result>deeper</result>\n</task-notification>")")) +
      goes("7", "6", 42, answers("m3", text("so"))) + goes("a", "", 13, asks(R"("dig")", agent)) +
      goes("b", "a", 15, answers("s1", text("dug"), agent)) +
      goes("c", "b", 24, asks(R"("dig on")", agent)) +
      goes("d", "c", 30, answers("s2", text("deeper"), agent));
  const Graph graph = link(read_log(log), {});
  std::string told;
  for (const Link& link : graph.links())
    if (link.kind != LinkKind::continuation && link.kind != LinkKind::tool_result)
      told += std::string(graph.trace()[graph.trace()[link.from].id]) + ">" +
              std::string(graph.trace()[graph.trace()[link.to].id]) +
              (link.resumed ? " resumed\n" : "\n");
  CHECK(told == "m1>s1\ns1>m2\nm2>s2 resumed\ns2>m3\n");
}
