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
  return std::string(word(trace.calls[0].tokens.tier));
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
             "\n") == "standard");  // and cost nothing
}

TEST_CASE("answers say how they were served") {
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
                        std::string(served) + R"("}})")) == "standard");
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
  CHECK(trace.gen_ai[0].tokens.tier == ServiceTier::flex);
}
