#include <catch2/catch.hpp>

#include "reading.h"

using namespace xtrace;

TEST_CASE("Bedrock's log of invocations has the bodies of Converse, and the counts next to them") {
  const std::string begin =
      R"({"schemaType":"ModelInvocationLog","timestamp":"2026-03-01T10:00:00Z","requestId":"b",)"
      R"("operation":"Converse","modelId":"global.anthropic.claude-sonnet-4-5-20250929-v1:0",)";
  const Trace answered = read_log(
      begin +
      R"("input":{"inputBodyJson":{"messages":[{"role":"user","content":[{"text":"dig"}]}]},)"
      R"("inputTokenCount":40},"output":{"outputTokenCount":7,"outputBodyJson":{"output":{"message":)"
      R"({"role":"assistant","content":[{"toolUse":{"toolUseId":"t1","name":"dig","input":{}}}]}},)"
      R"("stopReason":"tool_use","metrics":{"latencyMs":900},"usage":{"inputTokens":40,)"
      R"("outputTokens":7,"cacheReadInputTokens":500}}}})");
  CHECK(answered.calls[0].outcome == Outcome::ok);
  REQUIRE(answered.tool_uses.size() == 1);
  CHECK(answered[answered.tool_uses[0].id] == "t1");
  CHECK(answered.calls[0].tokens.input == 40);
  CHECK(answered.calls[0].tokens.cache_read == 500);
  CHECK(answered.calls[0].tokens.output == 7);
  CHECK(answered.calls[0].duration == std::chrono::milliseconds(900));
  const Trace throttled =
      read_log(begin + R"("errorCode":"ThrottlingException","input":{"inputBodyJson":)"
                       R"({"messages":[{"role":"user","content":[{"text":"dig"}]}]}}})");
  CHECK(throttled.calls[0].outcome == Outcome::error);
  CHECK(throttled[throttled.calls[0].error] == "ThrottlingException");
}
