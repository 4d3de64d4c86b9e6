#include <catch2/catch.hpp>

#include "reading.h"

namespace xtrace {

namespace {

/// A span of Vercel's AI SDK with such attributes.
std::string ai_span(const std::string& operation, const std::string& attributes,
                    const std::string& status = "{}") {
  return R"({"resourceSpans":[{"scopeSpans":[{"scope":{"name":"ai"},"spans":[{"traceId":"a1",)"
         R"("spanId":"b1","name":")" +
         operation +
         R"(","startTimeUnixNano":"1772355600000000000","endTimeUnixNano":"1772355601000000000",)"
         R"("status":)" +
         status + R"(,"attributes":[{"key":"ai.operationId","value":{"stringValue":")" + operation +
         R"("}})" + attributes + "]}]}]}]}\n";
}

std::string text_tag(const std::string& key, const std::string& value) {
  return R"(,{"key":")" + key + R"(","value":{"stringValue":")" + value + R"("}})";
}

}  // namespace

TEST_CASE("a tool that the AI SDK runs is a run of that tool, and may fail") {
  const Trace trace = read_log(ai_span(
      "ai.toolCall", text_tag("ai.toolCall.name", "weather") + text_tag("ai.toolCall.id", "call_1"),
      R"({"code":2,"message":"timeout"})"));
  REQUIRE(trace.spans.size() == 1);
  REQUIRE(trace.spans[0].gen_ai);
  const GenAi& told = trace[trace.spans[0].gen_ai];
  CHECK(told.role == GenAi::Role::tool);
  CHECK(trace[told.tool] == "weather");
  CHECK(trace[told.tool_call] == "call_1");
  CHECK(trace.spans[0].outcome == Outcome::error);
}

TEST_CASE(
    "an embedding of the AI SDK is counted by the provider's call, and by what is around it") {
  const std::string tags = text_tag("ai.model.id", "embedder") +
                           text_tag("ai.model.provider", "openai.embedding") +
                           R"(,{"key":"ai.usage.tokens","value":{"intValue":"9"}})";
  for (const char* operation :
       {"ai.embed.doEmbed", "ai.embedMany.doEmbed", "ai.embed", "ai.embedMany"}) {
    const Trace trace = read_log(ai_span(operation, tags));
    REQUIRE(trace.spans[0].gen_ai);
    const GenAi& told = trace[trace.spans[0].gen_ai];
    CHECK(told.role == GenAi::Role::model);
    CHECK(trace[told.model] == "embedder");
    CHECK(trace[told.provider] == "openai.embedding");
    CHECK(told.tokens.input == 9);
  }
}

TEST_CASE("each version of the AI SDK has names of its own for what a call used up") {
  const auto& [input, output] = GENERATE(
      std::pair<std::string, std::string>("ai.usage.promptTokens", "ai.usage.completionTokens"),
      std::pair<std::string, std::string>("ai.usage.inputTokens", "ai.usage.outputTokens"));
  const std::string tags =
      text_tag("ai.model.id", "gpt") + text_tag("ai.model.provider", "openai") + R"(,{"key":")" +
      input + R"(","value":{"intValue":"9"}},{"key":")" + output + R"(","value":{"intValue":"5"}})";
  for (const char* operation : {"ai.streamText.doStream", "ai.streamText"}) {
    const Trace trace = read_log(ai_span(operation, tags));
    REQUIRE(trace.spans[0].gen_ai);
    CHECK(trace[trace.spans[0].gen_ai].tokens == Tokens{.input = 9, .output = 5});
  }
}

TEST_CASE("a call of the AI SDK that failed before it used up anything is a call all the same") {
  const Trace trace =
      read_log(ai_span("ai.streamText.doStream", text_tag("gen_ai.request.model", "m-1"),
                       R"({"code":2,"message":"429"})"));
  REQUIRE(trace.spans[0].gen_ai);
  CHECK(trace[trace.spans[0].gen_ai].role == GenAi::Role::model);
}

}  // namespace xtrace
