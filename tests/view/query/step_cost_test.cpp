#include "hop_story.h"
#include "view/query/query_answers.h"

using namespace xtrace;

namespace {

/// A step that reports these metrics.
std::string priced(const std::string& id, double second, const std::string& metrics,
                   const std::string& more = "") {
  return fmt::format(
      R"({{"queryId":"q","stepId":"{0}","node":"{0}","timestamp":"2026-01-01T10:00:{1:06.3f}Z",)"
      R"("metrics":{{{2}}}{3}}})"
      "\n",
      id, second, metrics, more);
}

}  // namespace

TEST_CASE("a step that names its model and tokens costs what these do; what it says wins") {
  Json trace = trace_of(
      priced("a", 1, R"("latency_ms":5,"tokens_in":1000,"tokens_out":100,"model":"gpt-4")") +
      priced("b", 2, R"("tokens_in":1000,"tokens_out":100,"model":"gpt-4","cost_usd":0.5)"));
  CHECK(trace["steps"][0]["metrics"]["cost_usd"] == 0.036);
  CHECK(trace["steps"][0]["metrics"]["cost_from"] == "table");
  CHECK(trace["steps"][1]["metrics"]["cost_from"] == "log");
  CHECK(trace["metrics"]["total_cost_usd"] == 0.536);
  CHECK(trace["metrics"]["unpriced_steps"] == 0);
  CHECK(trace["costs"]["from_log"] == 1);
  CHECK(trace["costs"]["from_table"] == 1);
  check_totals(trace);
}

TEST_CASE("a total says how many steps of unknown cost it lacks") {
  Json trace =
      trace_of(priced("a", 1, R"("tokens_in":1000,"tokens_out":0,"model":"gpt-4")") +
               priced("b", 2, R"("tokens_in":1000,"tokens_out":100,"model":"nobodys-model")") +
               priced("c", 3, R"("model":"gpt-4")") + priced("d", 4, R"("latency_ms":3)") +
               priced("e", 5, R"("model":"gpt-4")", R"(,"status":"error")"));
  CHECK(trace["metrics"]["total_cost_usd"] == 0.03);
  CHECK(trace["metrics"]["unpriced_steps"] == 2);  // b and c: d calls no model, e failed
}

TEST_CASE("the price of tokens that steps within tell of is theirs, whatever rounding does") {
  // Three cost 56.25 billionths, six 112.5.
  const std::string inner =
      R"("tokens_in":0,"tokens_out":0,"cacheReadTokens":3,"model":"gemini-1.5-flash")";
  Json trace =
      trace_of(priced("agent", 1,
                      R"("latency_ms":9000,"tokens_in":0,"tokens_out":0,"cacheReadTokens":6,)"
                      R"("model":"gemini-1.5-flash")") +
               priced("one", 2, R"("latency_ms":10,)" + inner, R"(,"parentId":"agent")") +
               priced("two", 3, R"("latency_ms":10,)" + inner, R"(,"parentId":"agent")"));
  CHECK(trace["metrics"]["total_cost_usd"] == 0.000000112);
  CHECK(trace["metrics"]["unpriced_steps"] == 0);
  check_totals(trace);
}

TEST_CASE(
    "of an agent's total, what the calls below it do not account for counts at its model's price") {
  HopStory story;
  story.span("agent", "garden", "", 0, 1000).tag("gen_ai.operation.name", "invoke_agent");
  story.tag("gen_ai.agent.name", "gardener").tag("gen_ai.request.model", "gpt-4");
  story.tag("gen_ai.usage.input_tokens", "3000").tag("gen_ai.usage.output_tokens", "300");
  story.span("call", "garden", "agent", 10, 500).tag("gen_ai.operation.name", "chat");
  story.tag("gen_ai.request.model", "gpt-4").tag("gen_ai.usage.input_tokens", "1000");
  story.tag("gen_ai.usage.output_tokens", "100");
  Json trace = trace_of(story.json(), {{"--all", ""}});
  CHECK(trace["metrics"]["total_tokens_in"] == 3000);
  CHECK(trace["metrics"]["total_tokens_out"] == 300);
  CHECK(trace["metrics"]["total_cost_usd"] == 0.108);
  CHECK(trace["metrics"]["unpriced_steps"] == 0);
  check_totals(trace);
}

TEST_CASE("of two spans that tell of one call, what only one of them knows counts once") {
  HopStory story;
  auto call = [&](const std::string& id, const std::string& parent, double start) {
    story.span(id, "garden", parent, start, 500).tag("gen_ai.operation.name", "chat");
    story.tag("gen_ai.request.model", "claude-sonnet-4-5")
        .tag("gen_ai.usage.input_tokens", "1100")
        .tag("gen_ai.usage.output_tokens", "20");
  };
  call("outer", "", 0);
  story.tag("gen_ai.usage.cost", "0.009").tag("gen_ai.usage.cache_read.input_tokens", "1000");
  call("inner", "outer", 10);
  Json trace = trace_of(story.json(), {{"--all", ""}});
  CHECK(trace["metrics"]["total_tokens_in"] == 100);
  CHECK(trace["metrics"]["total_tokens_cache_read"] == 1000);
  CHECK(trace["metrics"]["total_cost_usd"] == 0.009);
  check_totals(trace);
}

TEST_CASE("a step of which steps within tell some of the tokens is not one more of unknown cost") {
  const Json trace = trace_of(
      priced("agent", 1, R"("latency_ms":9000,"tokens_in":9,"model":"nobodys-model")") +
      priced("one", 2, R"("latency_ms":10,"tokens_in":9,"tokens_out":9,"model":"nobodys-model")",
             R"(,"parentId":"agent")"));
  CHECK(trace["metrics"]["unpriced_steps"] == 1);
}

TEST_CASE("what a step around tells of the cost is all of it") {
  Json trace = trace_of(
      priced("chain", 1, R"("latency_ms":9000,"cost_usd":0.7)") +
      priced("one", 2, R"("latency_ms":10,"tokens_in":9,"tokens_out":9,"model":"nobodys-model")",
             R"(,"parentId":"chain")"));
  CHECK(trace["metrics"]["total_cost_usd"] == 0.7);
  CHECK(trace["metrics"]["unpriced_steps"] == 0);
}

TEST_CASE("a step has the cost that another record tells of the same call") {
  const std::string text = R"({"key":"request_id","value":{"stringValue":"req_1"}},)"
                           R"({"key":"model","value":{"stringValue":"claude-opus-4-6"}})";
  const std::string named = R"([{"resource":{},"scope)";
  const Json trace = trace_of(
      R"({"resourceSpans":)" + named + R"(Spans":[{"spans":[{"traceId":"4bf9","spanId":"01",)" +
      R"("name":"claude_code.llm_request","startTimeUnixNano":"1767260000000000000",)" +
      R"("endTimeUnixNano":"1767260001000000000","attributes":[{"key":"output_tokens",)" +
      R"("value":{"intValue":"50"}},)" + text + "]}]}]}]}\n" + R"({"resourceLogs":)" + named +
      R"(Logs":[{"logRecords":[{"traceId":"4bf9","spanId":"01",)" +
      R"("timeUnixNano":"1767260001000000000",)" +
      R"("body":{"stringValue":"claude_code.api_request"},"attributes":[{"key":"cost_usd",)" +
      R"("value":{"doubleValue":0.5}},)" + text + "]}]}]}]}\n");
  CHECK(trace["metrics"]["total_cost_usd"] == 0.5);
  CHECK(trace["costs"]["from_table"] == 0);
}
