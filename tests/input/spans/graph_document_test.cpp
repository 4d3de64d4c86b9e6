#include <catch2/catch.hpp>

#include "link/graph/graph.h"
#include "link/story/story.h"
#include "reading.h"

using namespace xtrace;

namespace {

std::string edges_of(const std::string& document) {
  Graph graph = link(read_log(document), {});
  const Story& story = *graph.story();
  std::string text;
  for (const StoryEdge& edge : story.edges) {
    const StoryNode &from = story.nodes[edge.from], &to = story.nodes[edge.to];
    text += name_of(graph, from) + "->" + name_of(graph, to) + " " +
            std::string(word(edge.relation)) + "\n";
  }
  return text;
}

constexpr std::string_view kGraph = R"({"nodes": [
  {"id": "a", "timestamp": "2026-01-01T10:00:00Z", "agent": "CoderAgent", "type": "LLM_CALL",
   "model": "m", "tokensIn": 12, "tokensOut": 5, "latencyMs": 1000, "costUsd": 0.5, "status": "OK"},
  {"id": "b", "timestamp": "2026-01-01T10:00:02Z", "agent": "CriticAgent", "type": "TEST_RUN",
   "status": "ERROR", "testSuite": "users", "details": {"testsFailed": 2}}, // and more
 ],
 "edges": [{"from": "a", "to": "b", "relation": "TRIGGERED"}]})";

}  // namespace

TEST_CASE("the nodes of a graph are steps, and its edges those that it has") {
  CHECK(edges_of(std::string(kGraph)) == "a->b TRIGGERED\n");
  Graph graph = link(read_log(kGraph), {});
  const Story& story = *graph.story();
  REQUIRE(story.nodes.size() == 2);
  CHECK(story.nodes[0].type == TaskStep::Type::llm_call);
  CHECK(story.nodes[0].tokens.input == 12);
  CHECK(story.nodes[0].cost == 500'000'000);
  CHECK(story.agent(story.nodes[0]) == "CoderAgent");
  CHECK(story.nodes[1].status == StepStatus::error);
  CHECK(task_step_of(graph, story.nodes[1]).remarks == 2);
}

TEST_CASE("comments and a comma behind the last item are read over, and said") {
  Trace trace = read_log(kGraph);
  CHECK(trace.repaired == 1);
  CHECK(read_log(R"({"requestId":"r","timestamp":1700000000,"text":"a // b, }"})"
                 "\n")
            .repaired == 0);
}

TEST_CASE("what dag answers about model calls and spans is a graph") {
  CHECK(edges_of(R"({"schema": "xtrace.dag/1", "nodes": [
    {"id": "a", "type": "inference", "timestamp": "2026-01-01T10:00:00Z", "duration_ms": 10},
    {"id": "b", "type": "inference", "timestamp": "2026-01-01T10:00:01Z", "agent": {"name": "x"}}],
    "edges": [{"source": "a", "target": "b", "type": "subagent_spawn", "confidence": 0.9}]})") ==
        "a->b TRIGGERED\n");
  CHECK(edges_of(R"({"schema": "xtrace.dag/1", "nodes": [
    {"id": "a", "type": "span", "timestamp": "2026-01-01T10:00:00Z", "duration_ms": 9, "run": "r"},
    {"id": "b", "type": "hop", "timestamp": "2026-01-01T10:00:01Z", "run": "r", "parent": "a"}],
    "edges": [{"source": "a", "target": "b", "type": "parent", "confidence": 1}]})") ==
        "a->b NEXT_STEP\n");
}

TEST_CASE("who called is read back from what dag answers: an instance of an agent, else a name") {
  const auto agent_of = [](const std::string& agent) {
    const Graph graph = link(read_log(R"({"schema": "xtrace.dag/1", "nodes": [{"id": "a", )"
                                      R"("type": "inference", "agent": )" +
                                      agent + R"(}], "edges": []})"),
                             {});
    return std::string(graph.story()->agent(graph.story()->nodes.at(0)));
  };
  CHECK(agent_of(R"({"id": "Explore#1", "type": "Explore", "name": "Explore"})") == "Explore#1");
  CHECK(agent_of(R"({"name": "planner"})") == "planner");
  CHECK(agent_of(R"("CoderAgent")") == "CoderAgent");
}

TEST_CASE("of snapshots of a graph the newest is read") {
  const std::string one(R"({"nodes": [{"id": "old", "type": "OTHER"}], "edges": []})");
  Trace trace = read_log("{\"snapshots\": [\n{\"lastUpdated\":\"x\",\"graph\":" + one +
                         "},\n{\"lastUpdated\":\"y\",\"graph\":" + std::string(kGraph) + "}\n]}\n");
  REQUIRE(trace.spans.size() == 2);
  CHECK(trace[trace.spans[0].id] == "a");
}

TEST_CASE("an answer that only sums up is no source") {
  Trace trace = read_log(R"({"schema": "xtrace.stats/1", "models": []})"
                         "\n");
  REQUIRE(trace.complaints.size() == 1);
  CHECK(trace.complaints[0].what.find("xtrace output, not a log") != std::string::npos);
}
