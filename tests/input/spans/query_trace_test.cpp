#include <catch2/catch.hpp>

#include "input/excerpt.h"
#include "link/graph/graph.h"
#include "reading.h"

using namespace xtrace;

namespace {

constexpr std::string_view kQueryTrace = R"({
  "queryId": "Q-1",
  "mode": "local_graph",
  "steps": [
    {"node": "DetectIntent", "metrics": {"latency_ms": 35, "tokens_in": 30, "tokens_out": 5}},
    {
      "node": "LocalGraph",
      "params": {"k": 8, "depth": 2},
      "evidenceRefs": [{"type": "document", "doc_id": "D10", "unit_id": "U77", "page": 4}],
      "metrics": {"latency_ms": 210, "tokens_in": 480, "tokens_out": 120}
    }
  ],
  "subgraph": {"nodes": [{"id": "E1", "label": "Entity"}], "edges": []},
  "metrics": {"total_latency_ms": 245}
}
)";

}  // namespace

TEST_CASE("a query trace that is one document has its steps, and what stands around them") {
  Folder folder;
  Progress progress;
  Trace trace = load({folder.write("trace.json", kQueryTrace)}, {}, progress).value();
  REQUIRE(trace.spans.size() == 3);
  CHECK(trace[trace.spans[0].operation] == "DetectIntent");
  CHECK(trace[trace.spans[1].query] == "Q-1");
  CHECK(trace.spans[1].duration == std::chrono::milliseconds(210));
  Excerpts excerpts(trace);
  StepRecord step = excerpts.step(trace.spans[1]);
  CHECK(trace[trace.spans[1].operation] == "LocalGraph");
  CHECK(trace[trace.spans[1].gen_ai].tokens.input == 480);
  REQUIRE(step.evidence.size() == 1);
  CHECK(step.evidence[0].page == 4);
  StepRecord whole = excerpts.step(trace.spans[2]);
  CHECK(!trace.spans[2].operation);
  CHECK(whole.mode == "local_graph");
  CHECK(whole.nodes.size() == 1);
}

TEST_CASE("an answer about several queries is read as all of them") {
  Trace trace = read_log(
      R"({"schema":"xtrace.trace/1","inputs":[{"path":"x"}],"traces":[)"
      R"({"queryId":"a","steps":[{"order":1,"node":"A","id":"s1"},{"order":2,"node":"B","id":"s2","parent":1}]},)"
      R"({"queryId":"b","steps":[]}]})"
      "\n");
  REQUIRE(trace.spans.size() == 2);
  CHECK(trace[trace.spans[0].query] == "a");
  REQUIRE(trace.spans[1].parents == 1);
  CHECK(trace[trace.span_parents[trace.spans[1].first_parent].span] == "s1");
}

TEST_CASE("steps without a node are no query trace") {
  Trace trace = read_log(R"({"queryId":"a","steps":[{"title":"x"}]})"
                         "\n");
  CHECK(trace.spans.empty());
}

TEST_CASE("every call of a turn that was kept counts, for what led to one is not around it") {
  const Graph graph = link(
      read_log(
          R"({"schema":"xtrace.trace/1","queryId":"turn 1","steps":[)"
          R"({"order":1,"node":"main","id":"a","kind":"inference","metrics":{"tokens_in":5,"tokens_out":2,"cost_usd":0.25,"model":"m"}},)"
          R"({"order":2,"node":"main","id":"b","kind":"inference","parent":1,"metrics":{"tokens_in":7,"tokens_out":3,"cost_usd":0.5,"model":"m"}}]})"
          "\n"),
      {});
  int64_t cost = 0;
  for (const Activity& one : graph.activities().all)
    if (one.kind == Activity::Kind::model_call && !one.same_as) cost += one.cost;
  CHECK(cost == 750'000'000);
}

TEST_CASE("what is a lower bound in an answer of ours stays one when that is read again") {
  for (
      const std::string answer :
      {R"({"schema":"xtrace.trace/1","queryId":"turn 1","steps":[)"
       R"({"order":1,"node":"main","id":"a","kind":"inference","metrics":{"tokens_in":5,"tokens_out":2,"output_is_low":true,"model":"m"}}]})",
       R"({"schema":"xtrace.dag/1","nodes":[{"id":"a","type":"inference","model":"m",)"
       R"("tokens":{"input":5,"output":2,"output_is_low":true}}],"edges":[]})"}) {
    const Graph graph = link(read_log(answer + "\n"), {});
    REQUIRE(graph.hops().all.size() == 1);
    CHECK(graph.activities().of(HopId(0)).output_is_low);
  }
}
