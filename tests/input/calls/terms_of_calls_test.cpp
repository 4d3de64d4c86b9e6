#include <catch2/catch.hpp>

#include "facts/trace.h"
#include "reading.h"
#include "transcript.h"

using namespace xtrace;

namespace {

/// How the only call of the log was served.
std::string tier(const std::string& log) {
  const Trace trace = read_log(log);
  REQUIRE(trace.calls.size() == 1);
  return std::string(word(trace.calls[0].tokens.terms.tier));
}

Tokens tokens_of(const std::string& log) {
  const Trace trace = read_log(log);
  REQUIRE(trace.calls.size() == 1);
  return trace.calls[0].tokens;
}

/// A call of which only some fields of the request, of the answer and of what is around them are
/// given, each followed by a comma.
std::string call(const std::string& request, const std::string& answer,
                 const std::string& around = "") {
  return "{" + around + R"("request":{)" + request +
         R"("model":"m","messages":[{"role":"user","content":"one"}]},"response":{)" + answer +
         R"("id":"a","type":"message","role":"assistant","model":"m","content":[]}})" + "\n";
}

std::string counts(const std::string& more = "") {
  return R"("usage":{"input_tokens":7,"output_tokens":2)" + more + "},";
}

std::string place(const std::string& log) {
  return std::string(word(tokens_of(log).terms.residency));
}

int64_t cost(const std::string& log) {
  const Trace trace = read_log(log);
  REQUIRE(trace.calls.size() == 1);
  return trace.calls[0].cost;
}

std::string exchange(const std::string& answer) {
  return R"({"request":{"model":"m","messages":[{"role":"user","content":"one"}]},"response":)" +
         answer + "}\n";
}

}  // namespace

TEST_CASE("what a batch gave waited for it") {
  CHECK(tier(R"({"custom_id":"b1","response":{"status_code":200,"body":{"id":"c","model":"m",)"
             R"("choices":[{"message":{"role":"assistant","content":"1"}}],)"
             R"("usage":{"prompt_tokens":7,"completion_tokens":2}}}})"
             "\n") == "batch");
  CHECK(tier(R"({"custom_id":"b2","result":{"type":"errored","error":{"type":"x"}}})"
             "\n") == "");  // and cost nothing
}

TEST_CASE("answers state how they were served") {
  const std::string completion =
      R"({"id":"c","model":"m","service_tier":"flex","usage":{"prompt_tokens":7,)"
      R"("completion_tokens":2},"choices":[{"message":{"role":"assistant","content":"1"}}]})";
  CHECK(tier(exchange(completion)) == "flex");
  const std::string response =
      R"({"id":"r","object":"response","status":"completed","model":"m","service_tier":"priority",)"
      R"("output":[],"usage":{"input_tokens":7,"output_tokens":2}})";
  CHECK(tier(exchange(response)) == "priority");
  const std::string message =
      R"({"id":"a","type":"message","role":"assistant","model":"m","content":[],)"
      R"("usage":{"input_tokens":7,"output_tokens":2,"service_tier":"batch"}})";
  CHECK(tier(exchange(message)) == "batch");
}

TEST_CASE("what was paid for beforehand, or served as usual, is of the list") {
  for (const char* served : {"standard", "priority"})
    CHECK(tier(exchange(R"({"id":"a","type":"message","role":"assistant","model":"m","content":[],)"
                        R"("usage":{"input_tokens":7,"output_tokens":2,"service_tier":")" +
                        std::string(served) + R"("}})")) == "");
  const std::string completion =
      R"({"id":"c","model":"m","service_tier":"default","usage":{"prompt_tokens":7,)"
      R"("completion_tokens":2},"choices":[{"message":{"role":"assistant","content":"1"}}]})";
  CHECK(tier(exchange(completion)) == "standard");
}

TEST_CASE("a call of a span was served as its tag says") {
  const Trace trace = read_log(
      R"({"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"0123456789abcdef0123456789abcdef",)"
      R"("spanId":"0123456789abcdef","name":"chat m","startTimeUnixNano":"1","endTimeUnixNano":"2",)"
      R"("attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"chat"}},)"
      R"({"key":"gen_ai.usage.input_tokens","value":{"intValue":7}},)"
      R"({"key":"gen_ai.usage.output_tokens","value":{"intValue":2}},)"
      R"({"key":"openai.response.service_tier","value":{"stringValue":"flex"}}]}]}]}]})"
      "\n");
  REQUIRE(trace.gen_ai.size() == 1);
  CHECK(trace.gen_ai[0].tokens.terms.tier == ServiceTier::flex);
}

TEST_CASE("what a request asks for counts where the answer states nothing") {
  CHECK(tier(call(R"("service_tier":"flex",)", counts())) == "flex");
  CHECK(tier(call(R"("speed":"fast",)", counts())) == "fast");
  CHECK(tier(call(R"("serviceTier":{"type":"priority"},)", counts())) == "priority");
  CHECK(tier(call(R"("service_tier":"auto",)", counts())) == "");
  CHECK(place(call(R"("inference_geo":"us",)", counts())) == "regional");
}

TEST_CASE("what the answer states takes precedence over the request") {
  CHECK(tier(call(R"("speed":"fast",)", counts(R"(,"speed":"standard")"))) == "standard");
  CHECK(tier(call(R"("speed":"fast",)", counts(R"(,"service_tier":"standard")"))) == "fast");
  CHECK(place(call(R"("inference_geo":"us",)", counts(R"(,"inference_geo":"global")"))) ==
        "global");
  const std::string lowered =
      R"({"request":{"model":"m","service_tier":"priority","input":"one"},"response":{"id":"r",)"
      R"("object":"response","status":"completed","model":"m","service_tier":"default",)"
      R"("output":[],"usage":{"input_tokens":7,"output_tokens":2}}})"
      "\n";
  CHECK(tier(lowered) == "standard");
}

TEST_CASE("a batch is one whatever its answers call themselves") {
  CHECK(tier(R"({"custom_id":"b1","response":{"status_code":200,"body":{"id":"c","model":"m",)"
             R"("service_tier":"default","choices":[{"message":{"role":"assistant",)"
             R"("content":"1"}}],"usage":{"prompt_tokens":7,"completion_tokens":2}}}})"
             "\n") == "batch");
}

TEST_CASE("a stream's last event states how it was served") {
  const std::string events =
      R"(data: {\"type\":\"response.created\",\"response\":{\"id\":\"r\",\"model\":\"m\",)"
      R"(\"service_tier\":\"priority\",\"output\":[]}}\n\ndata: {\"type\":)"
      R"(\"response.completed\",\"response\":{\"id\":\"r\",\"model\":\"m\",)"
      R"(\"service_tier\":\"default\",\"output\":[],\"usage\":{\"input_tokens\":7,)"
      R"(\"output_tokens\":2}}}\n\n)";
  CHECK(tier(R"({"request":{"model":"m","input":"one"},"response":")" + events + "\"}\n") ==
        "standard");
}

TEST_CASE("addresses and headers state terms, too") {
  CHECK(place(call("", counts(), R"("url":"https://eu.api.openai.com/v1/x",)")) == "regional");
  CHECK(place(call("", counts(),
                   R"("url":"https://bedrock-runtime.eu-west-1.amazonaws.com/model/arn%3Aaws%3A)"
                   R"(bedrock%3Aeu-west-1%3A1%3Ainference-profile%2Feu.anthropic.m/invoke",)")) ==
        "regional");
  CHECK(place(call("", counts(),
                   R"("url":"https://bedrock-runtime.eu-west-1.amazonaws.com/model/arn:aws:)"
                   R"(bedrock:eu-west-1:1:application-inference-profile/q1w2/invoke",)")) ==
        "unclear");
  const std::string proxied =
      R"({"timestamp":"2026-09-01T09:00:00Z","headers":{"X-Vertex-AI-LLM-Shared-Request-Type":)"
      R"("flex"},"body":{"model":"m","messages":[{"role":"user","content":"one"}]},"response":)"
      R"({"status":200,"headers":{},"body":{"id":"a","type":"message","role":"assistant",)"
      R"("model":"m","content":[],"usage":{"input_tokens":7,"output_tokens":2}}}})"
      "\n";
  CHECK(tier(proxied) == "flex");
}

TEST_CASE("Google's answers state how they were served, and what they rest on") {
  const Tokens tokens = tokens_of(
      R"({"request":{"model":"m","contents":[{"role":"user","parts":[{"text":"one"}]}]},)"
      R"("response":{"candidates":[{"content":{"role":"model","parts":[{"text":"1"}]},)"
      R"("finishReason":"STOP","groundingMetadata":{"webSearchQueries":["a","b"],)"
      R"("groundingChunks":[{"web":{"uri":"u"}},{"maps":{"uri":"v"}}]}}],"usageMetadata":)"
      R"({"promptTokenCount":7,"candidatesTokenCount":2,"trafficType":"ON_DEMAND_PRIORITY"}}})"
      "\n");
  CHECK(word(tokens.terms.tier) == "priority");
  CHECK(tokens.server_tools[ServerTool::web_search] == 2);
  CHECK(tokens.server_tools[ServerTool::maps] == 1);
}

TEST_CASE("uses of a vendor's tools are counted once, best by the vendor") {
  const Tokens counted = tokens_of(
      call("", counts(R"(,"server_tool_use":{"web_search_requests":2,"web_fetch_requests":0})")));
  CHECK(counted.server_tools[ServerTool::web_search] == 2);
  CHECK(counted.server_tools[ServerTool::web_fetch] == 0);
  CHECK(counted.server_tools[ServerTool::code_execution] == -1);
  const auto items = [](const std::string& more) {
    return tokens_of(
        R"({"request":{"model":"m","input":"one"},"response":{"id":"r","object":"response",)"
        R"("status":"completed","model":"m",)" +
        more +
        R"("output":[{"type":"web_search_call","id":"w1","status":"completed","action":)"
        R"({"type":"search","query":"q"}},{"type":"web_search_call","id":"w2","status":)"
        R"("completed","action":{"type":"open_page","url":"u"}},{"type":"file_search_call",)"
        R"("id":"f1","status":"completed"}],"usage":{"input_tokens":7,"output_tokens":2}}})"
        "\n");
  };
  CHECK(items("").server_tools[ServerTool::web_search] == 1);  // a page that is opened is none
  CHECK(items("").server_tools[ServerTool::file_search] == 1);
  const Tokens stated = items(R"("tool_usage":{"web_search":{"num_requests":3}},)");
  CHECK(stated.server_tools[ServerTool::web_search] == 3);
  CHECK(stated.server_tools[ServerTool::file_search] == 1);
}

TEST_CASE("with a key of one's own the router's fee and the vendor are paid") {
  const auto paid = [](const std::string& more) {
    return cost(R"({"request":{"model":"m","messages":[{"role":"user","content":"one"}]},)"
                R"("response":{"id":"g","model":"m","choices":[{"message":{"role":"assistant",)"
                R"("content":"1"}}],"usage":{"prompt_tokens":7,"completion_tokens":2,)" +
                more + "}}}\n");
  };
  const std::string upstream = R"(,"cost_details":{"upstream_inference_cost":0.0075})";
  CHECK(paid(R"("cost":0.0004,"is_byok":true)" + upstream) == 7'900'000);
  CHECK(paid(R"("cost":0,"is_byok":true)" + upstream) == 7'500'000);
  CHECK(paid(R"("cost":0.0123,"is_byok":false)" + upstream) == 12'300'000);
  CHECK(paid(R"("cost":0.0123)" + upstream) == 12'300'000);
  CHECK(paid(R"("cost":0.0004,"is_byok":true)") == kNoCount);  // the larger part is not stated
  CHECK(paid(R"("cost_in_usd_ticks":31250000)") == 3'125'000);
  CHECK(paid(R"("cost":{"request_cost":0.005,"total_cost":0.006})") == 6'000'000);
}

TEST_CASE("a stream of a router's states its cost in its last piece") {
  const std::string events =
      R"(data: {\"id\":\"g\",\"provider\":\"Anthropic\",\"model\":\"m\",\"choices\":[{)"
      R"(\"index\":0,\"delta\":{\"content\":\"1\"}}]}\n\ndata: {\"id\":\"g\",)"
      R"(\"model\":\"m\",\"choices\":[],\"usage\":{\"prompt_tokens\":7,)"
      R"(\"completion_tokens\":2,\"cost\":0.0004,\"is_byok\":true,\"cost_details\":{)"
      R"(\"upstream_inference_cost\":0.0075}}}\n\ndata: [DONE]\n\n)";
  CHECK(cost(R"({"request":{"model":"m","messages":[{"role":"user","content":"one"}]},)"
             R"("response":")" +
             events + "\"}\n") == 7'900'000);
}
