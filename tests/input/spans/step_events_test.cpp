#include <catch2/catch.hpp>

#include "facts/row_or_empty.h"
#include "input/excerpt.h"
#include "reading.h"

using namespace xtrace;

namespace {

StepRecord step_of(std::string_view log) {
  Folder folder;
  LoadOptions loading;
  Progress progress;
  Trace trace = load({folder.write("log.jsonl", log)}, loading, progress).value();
  REQUIRE(trace.spans.size() == 1);
  return Excerpts(trace).step(trace.spans[0]);
}

/// What the only span of a log used up.
struct Used {
  explicit Used(std::string_view log) : trace(read_log(log)) { REQUIRE(trace.spans.size() == 1); }
  const GenAi& row() const { return row_or_empty(trace, trace.spans[0].gen_ai); }
  const Tokens& tokens() const { return row().tokens; }
  std::string_view model() const { return trace[row().model]; }
  std::string_view provider() const { return trace[row().provider]; }

  Trace trace;
};

std::string jaeger_span(const std::string& tags) {
  return R"({"data":[{"traceID":"t","spans":[{"traceID":"t","spanID":"a","operationName":"retrieve",)"
         R"("startTime":1700000000000000,"duration":10,"tags":[)" +
         tags + R"(],"processID":"p1"}],"processes":{"p1":{"serviceName":"rag"}}}]})";
}

}  // namespace

TEST_CASE("a step event is a span with its query's name") {
  Trace trace = read_log(
      R"({"queryId":"q1","traceId":"t1","projectId":"shop","stepId":"s1","parentId":"s0","node":"Plan",)"
      R"("timestamp":"2026-01-01T10:00:00.250Z","status":"failed","metrics":{"latency_ms":35}})"
      "\n");
  REQUIRE(trace.spans.size() == 1);
  const Span& span = trace.spans[0];
  CHECK(trace[span.id] == "s1");
  CHECK(trace[span.query] == "q1");
  CHECK(trace[span.trace] == "t1");
  CHECK(trace[span.project] == "shop");
  CHECK(trace[span.operation] == "Plan");
  CHECK(span.duration == std::chrono::milliseconds(35));
  CHECK(span.outcome == Outcome::error);
  REQUIRE(span.parents == 1);
  CHECK(trace[trace.span_parents[0].span] == "s0");
}

TEST_CASE("what names a query but is a model call stays a model call") {
  Trace trace =
      read_log(R"({"id":"r1","traceId":"t1","node":"x","timestamp":"2026-01-01T10:00:00Z",)"
               R"("request":{"model":"m","messages":[{"role":"user","content":"hi"}]},)"
               R"("response":{"id":"m1","content":[{"type":"text","text":"hello"}]}})"
               "\n");
  CHECK(trace.spans.empty());
  CHECK(trace.calls.size() == 1);
}

TEST_CASE("a step's figures may stand beside its metrics, and in either spelling") {
  constexpr std::string_view kLog =
      R"({"query_id":"q","node":"LLM","provider":"openai","model":"m1","tokensIn":7,)"
      R"("cost":{"tokens_out":3,"usd":0.25},"params":{"k":8,"filter":{"depth":2},"q":"who?"}})"
      "\n";
  const StepRecord step = step_of(kLog);
  const Used used(kLog);
  CHECK(used.provider() == "openai");
  CHECK(used.model() == "m1");
  CHECK(used.tokens().input == 7);
  CHECK(used.tokens().output == 3);
  CHECK(used.row().cost == 250'000'000);
  REQUIRE(step.params.size() == 3);
  CHECK(step.params[0].name == "k");
  CHECK(std::get<int64_t>(step.params[0].value) == 8);
  CHECK(step.params[1].name == "filter.depth");
  CHECK(std::get<std::string>(step.params[2].value) == "who?");
}

TEST_CASE("evidence of every kind keeps what names it") {
  StepRecord step = step_of(
      R"({"queryId":"q","node":"G","evidenceRefs":[)"
      R"({"type":"document","doc_id":"D1","unit_id":"U1","page":4,"heading":"Backup","score":0.5},)"
      R"({"type":"av","docId":"D2","unitId":7,"time_range":"00:01-00:02"},)"
      R"({"type":"community","community_id":"K3","sensitivity":"secret"},"U9"]})"
      "\n");
  REQUIRE(step.evidence.size() == 4);
  CHECK(step.evidence[0].doc_id == "D1");
  CHECK(step.evidence[0].page == 4);
  CHECK(step.evidence[0].score == 0.5);
  CHECK(step.evidence[1].unit_id == "7");
  CHECK(step.evidence[1].time_range == "00:01-00:02");
  CHECK(step.evidence[2].community_id == "K3");
  CHECK(step.evidence[2].sensitivity == "secret");
  CHECK(step.evidence[3].unit_id == "U9");
}

TEST_CASE("the address of evidence goes by several names") {
  const std::string name = GENERATE("url", "uri", "source");
  const StepRecord step = step_of(R"({"queryId":"q","node":"G","evidenceRefs":[{"docId":"D1",")" +
                                  name + R"(":"https://garden.example/a"}]})" + "\n");
  REQUIRE(step.evidence.size() == 1);
  CHECK(step.evidence[0].url == "https://garden.example/a");
}

TEST_CASE("a subgraph comes as nodes and edges, or as lists by kind") {
  StepRecord step = step_of(
      R"({"queryId":"q","node":"G","subgraph":{"nodes":[{"id":"E1","label":"Entity","type":"System",)"
      R"("name":"Backup"}],"claims":[{"id":"C9","text":"it runs","evidence":["U1"]}],)"
      R"("textUnits":[{"id":"U1"}],"communities":[{"id":"K1","title":"Storage"}],)"
      R"("edges":[{"from":"E1","to":"C9","type":"MENTIONED_IN"}],)"
      R"("relations":[{"source":"E1","target":"K1","relation":"IN"}]}})"
      "\n");
  REQUIRE(step.nodes.size() == 4);
  CHECK(step.nodes[0].label == "Entity");
  CHECK(step.nodes[1].label == "Claim");
  CHECK(step.nodes[1].evidence == std::vector<std::string>{"U1"});
  CHECK(step.nodes[2].label == "TextUnit");
  CHECK(step.nodes[3].name == "Storage");
  REQUIRE(step.edges.size() == 2);
  CHECK(step.edges[1].to == "K1");
  CHECK(step.edges[1].type == "IN");
}

TEST_CASE("documents that OpenInference says were retrieved are evidence") {
  StepRecord step = step_of(jaeger_span(
      R"({"key":"openinference.span.kind","value":"RETRIEVER"},)"
      R"({"key":"input.value","value":"backups?"},)"
      R"({"key":"retrieval.documents.0.document.id","value":"D1"},)"
      R"({"key":"retrieval.documents.0.document.content","value":"weekly"},)"
      R"({"key":"retrieval.documents.0.document.score","value":0.75},)"
      R"({"key":"retrieval.documents.0.document.metadata","value":"{\"page\":3,\"title\":\"Ops\"}"},)"
      R"({"key":"retrieval.documents.10.document.id","value":"D11"},)"
      R"({"key":"retrieval.documents.2.document.id","value":"D3"})"));
  CHECK(step.kind == "RETRIEVER");
  CHECK(step.inputs == "backups?");
  REQUIRE(step.evidence.size() == 3);
  CHECK(step.evidence[0].doc_id == "D1");
  CHECK(step.evidence[0].text == "weekly");
  CHECK(step.evidence[0].score == 0.75);
  CHECK(step.evidence[0].page == 3);
  CHECK(step.evidence[0].heading == "Ops");
  CHECK(step.evidence[1].doc_id == "D3");
  CHECK(step.evidence[2].doc_id == "D11");
}

TEST_CASE("tokens from a cache are counted apart, as every vendor's") {
  auto tokens = [](int input, const std::string& more) {
    return Used(jaeger_span(R"({"key":"gen_ai.system","value":"anthropic"},)"
                            R"({"key":"gen_ai.usage.input_tokens","value":)" +
                            std::to_string(input) +
                            R"(},{"key":"gen_ai.usage.output_tokens","value":"117"},)"
                            R"({"key":"gen_ai.usage.cache_creation_input_tokens","value":100},)"
                            R"({"key":"gen_ai.usage.cache_read_input_tokens","value":1792})" +
                            more))
        .tokens();
  };
  CHECK(tokens(1956, "").input == 64);
  CHECK(tokens(1956, "").cache_read == 1792);
  CHECK(tokens(1956, "").output == 117);
  SECTION("a total tells whether the input count holds them") {
    CHECK(tokens(1956, R"(,{"key":"gen_ai.usage.total_tokens","value":2073})").input == 64);
    CHECK(tokens(1956, R"(,{"key":"gen_ai.usage.total_tokens","value":3965})").input == 1956);
  }
  SECTION("an input count that is smaller than they are does not") {
    CHECK(tokens(12, "").input == 12);
  }
}

TEST_CASE("how a step went is told in many words") {
  auto outcome = [](const std::string& fields) {
    Trace trace = read_log(R"({"queryId":"q","node":"n")" + fields + "}\n");
    REQUIRE(trace.spans.size() == 1);
    return trace.spans[0].outcome;
  };
  for (const char* good : {"ok", "SUCCESS", "succeeded", "done", "cached", "200"})
    CHECK(outcome(R"(,"status":")" + std::string(good) + '"') == Outcome::ok);
  for (const char* bad : {"error", "Failed", "TIMEOUT", "503"})
    CHECK(outcome(R"(,"status":")" + std::string(bad) + '"') == Outcome::error);
  CHECK(outcome(R"(,"status":"deferred")") == Outcome::unknown);
  CHECK(outcome("") == Outcome::unfinished);
  CHECK(outcome(R"(,"error":false,"outputs":{"n":1})") == Outcome::ok);
  CHECK(outcome(R"(,"error":{"type":"timeout"})") == Outcome::error);
}

TEST_CASE("a metric may be written as text, and one that is not a number is said") {
  const Used used(R"({"queryId":"q","node":"n","metrics":{"tokens_in":"100","cost_usd":"0.1"}})"
                  "\n");
  CHECK(used.tokens().input == 100);
  CHECK(used.row().cost == 100'000'000);
  Trace trace =
      read_log(R"({"queryId":"q","node":"n","metrics":{"latency_ms":-5,"tokens_in":"many"}})"
               "\n");
  CHECK(complaints_of(trace) == "field 1: a metric is not a usable number; treated as unknown");
}

TEST_CASE("metrics are read by their flat names, and ids out of a context") {
  std::string log =
      R"({"context":{"queryId":"q1","traceId":"t1"},"node":"Plan","cost.tokens_in":30,)"
      R"("cost.tokens_out":5,"metrics":{"latency.ms":7},"provider":"openai","model":"gpt-4o"})"
      "\n";
  Trace trace = read_log(log);
  REQUIRE(trace.spans.size() == 1);
  CHECK(trace[trace.spans[0].query] == "q1");
  CHECK(trace[trace.spans[0].trace] == "t1");
  CHECK(trace.spans[0].duration == std::chrono::milliseconds(7));
  const Used used(log);
  CHECK(used.tokens().input == 30);
  CHECK(used.tokens().output == 5);
  CHECK(used.model() == "gpt-4o");
}

TEST_CASE("a span that helps to answer a query may call its model just that") {
  const Used used(
      jaeger_span(R"({"key":"queryId","value":"q1"},{"key":"cost.tokens_in","value":30},)"
                  R"({"key":"provider","value":"openai"},{"key":"model","value":"gpt-4o"})"));
  CHECK(used.tokens().input == 30);
  CHECK(used.provider() == "openai");
  CHECK(used.model() == "gpt-4o");
  // Of any other span nobody knows what it is a model of.
  CHECK(Used(jaeger_span(R"({"key":"model","value":"estate"})")).model().empty());
}

TEST_CASE("how sensitive evidence is may be stated in its metadata and by other words") {
  const StepRecord step = step_of(
      R"({"queryId":"q1","traceId":"t1","node":"Search","timestamp":"2026-01-01T10:00:00Z",)"
      R"("evidenceRefs":[{"doc_id":"D1","metadata":{"sensitivity":"confidential"}},)"
      R"({"doc_id":"D2","classification":"secret"},)"
      R"({"doc_id":"D3","sensitivity":"public","metadata":{"data_classification":"secret"}},)"
      R"({"doc_id":"D4","sensitivity":"public","metadata":{"sensitivity":"public"}}]})"
      "\n");
  REQUIRE(step.evidence.size() == 4);
  CHECK(step.evidence[0].sensitivity == "confidential");
  CHECK(step.evidence[1].sensitivity == "secret");
  CHECK(step.evidence[2].sensitivity == "public, secret");  // beyond every clearance
  CHECK(step.evidence[3].sensitivity == "public");
}
