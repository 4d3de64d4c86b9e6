#include <catch2/catch.hpp>
#include <map>

#include "input/spans/gen_ai.h"
#include "reading.h"

namespace xtrace {

namespace {

using Counts = std::map<std::string, int64_t>;

/// As the program `scope` says them of a call to `model`.
struct Said {
  std::string scope;
  std::string version{};
  std::string model = "claude-sonnet-4-5";
};

const std::string kIn = "gen_ai.usage.input_tokens", kOut = "gen_ai.usage.output_tokens",
                  kTotal = "gen_ai.usage.total_tokens",
                  kRead = "gen_ai.usage.cache_read.input_tokens",
                  kWritten = "gen_ai.usage.cache_creation.input_tokens";

/// `300+700+0:40 by total`: input, read, written and output.
std::string counted(const Said& said, const Counts& counts) {
  std::string attributes =
      R"({"key":"gen_ai.request.model","value":{"stringValue":")" + said.model + R"("}})";
  for (const auto& [key, count] : counts)
    attributes +=
        R"(,{"key":")" + key + R"(","value":{"intValue":")" + std::to_string(count) + R"("}})";
  const Trace trace =
      read_log(R"({"resourceSpans":[{"scopeSpans":[{"scope":{"name":")" + said.scope +
               R"(","version":")" + said.version +
               R"("},"spans":[{"traceId":"a1","spanId":"b1","name":"chat","startTimeUnixNano":"1",)"
               R"("endTimeUnixNano":"2","attributes":[)" +
               attributes + "]}]}]}]}\n");
  REQUIRE(trace.gen_ai.size() == 1);
  const Tokens& tokens = trace.gen_ai[0].tokens;
  return std::to_string(tokens.input) + "+" + std::to_string(tokens.cache_read) + "+" +
         std::to_string(tokens.cache_creation) + ":" + std::to_string(tokens.output) + " by " +
         std::string(word(trace.gen_ai[0].token_rule));
}

}  // namespace

TEST_CASE("where nothing tells, the input count holds the cache, as the conventions have it") {
  CHECK(counted({"garden"}, {{kIn, 1000}, {kOut, 40}, {kRead, 600}, {kWritten, 100}}) ==
        "300+600+100:40 by convention");
  CHECK(counted({"garden"}, {{kIn, 1000}, {kOut, 40}}) == "1000+-1+-1:40 by ");
}

TEST_CASE("what comes from a cache cannot be part of a smaller count") {
  CHECK(counted({"openinference.instrumentation.langchain", "0.1.40"},
                {{kIn, 12}, {kOut, 40}, {kRead, 600}}) == "12+600+-1:40 by cache_exceeds_input");
}

TEST_CASE("a total tells whether the input count holds the cache") {
  CHECK(counted({"garden"}, {{kIn, 900}, {kOut, 40}, {kRead, 600}, {kTotal, 940}}) ==
        "300+600+-1:40 by total");
  CHECK(counted({"garden"}, {{kIn, 900}, {kOut, 40}, {kRead, 600}, {kTotal, 1540}}) ==
        "900+600+-1:40 by total");
  SECTION("also one that holds thoughts, which then were counted apart from the output") {
    CHECK(counted({"garden"}, {{kIn, 900},
                               {kOut, 40},
                               {kRead, 600},
                               {kTotal, 1000},
                               {"gen_ai.usage.reasoning_tokens", 60}}) ==
          "300+600+-1:100 by total");
    CHECK(counted({"garden"}, {{kIn, 900},
                               {kOut, 100},
                               {kRead, 600},
                               {kTotal, 1000},
                               {"gen_ai.usage.reasoning_tokens", 60}}) ==
          "300+600+-1:100 by total");
  }
  SECTION("one that adds up in no way tells nothing") {
    CHECK(counted({"garden"}, {{kIn, 900}, {kOut, 40}, {kRead, 600}, {kTotal, 7}}) ==
          "300+600+-1:40 by convention");
  }
}

TEST_CASE("what was in no cache tells it as well") {
  const std::string uncached = "gen_ai.usage.details.input_tokens";
  CHECK(counted({"pydantic-ai", "1.9"}, {{kIn, 900},
                                         {kOut, 40},
                                         {uncached, 300},
                                         {"gen_ai.usage.details.cache_read_tokens", 600}}) ==
        "300+600+-1:40 by uncached_told");
  CHECK(counted({"ai"}, {{kIn, 900},
                         {kOut, 40},
                         {"ai.usage.inputTokenDetails.noCacheTokens", 300},
                         {"ai.usage.inputTokenDetails.cacheReadTokens", 500},
                         {"ai.usage.inputTokenDetails.cacheWriteTokens", 100}}) ==
        "300+500+100:40 by uncached_told");
}

TEST_CASE("it is known of some programs whether they add the cache up") {
  const Counts counts = {{kIn, 900}, {kOut, 40}, {kRead, 600}};
  CHECK(counted({"openinference.instrumentation.anthropic", "0.1.20"}, counts) ==
        "300+600+-1:40 by emitter");
  CHECK(counted({"opentelemetry.instrumentation.anthropic", "0.50.1"}, counts) ==
        "300+600+-1:40 by emitter");
  CHECK(counted({"pydantic-ai"}, counts) == "300+600+-1:40 by emitter");
  CHECK(counted({"com.anthropic.claude_code.tracing"}, counts) == "900+600+-1:40 by emitter");
  SECTION("and since which version") {
    CHECK(counted({"logfire.anthropic", "4.9.0"}, counts) == "900+600+-1:40 by emitter");
    CHECK(counted({"logfire.anthropic", "4.31.0"}, counts) == "300+600+-1:40 by emitter");
    CHECK(counted({"logfire.anthropic", ""}, counts) == "300+600+-1:40 by emitter");
  }
  SECTION("some pass on what the vendor says") {
    CHECK(counted({"strands.telemetry.tracer"}, counts) == "900+600+-1:40 by emitter");
    CHECK(counted({"strands.telemetry.tracer", "", "gpt-5.2"}, counts) ==
          "300+600+-1:40 by convention");
    CHECK(counted({"ai"}, counts) == "900+600+-1:40 by emitter");
    CHECK(counted({"aip"}, counts) == "300+600+-1:40 by convention");
  }
  SECTION("a total that leaves the cache out proves nothing") {
    const Counts naive = {{kIn, 900}, {kOut, 40}, {kRead, 600}, {kTotal, 940}};
    CHECK(counted({"opentelemetry.instrumentation.bedrock"}, naive) == "900+600+-1:40 by emitter");
    CHECK(counted({"strands.telemetry.tracer", "", "gpt-5.2"}, naive) == "300+600+-1:40 by total");
    CHECK(counted({"@traceloop/instrumentation-anthropic"}, naive) == "900+600+-1:40 by emitter");
  }
}

TEST_CASE("the scope is found where libraries and Jaeger write it, too") {
  const std::string attributes =
      R"("gen_ai.request.model":"claude-sonnet-4-5","gen_ai.usage.input_tokens":900,)"
      R"("gen_ai.usage.output_tokens":40,"gen_ai.usage.cache_write_input_tokens":600)";
  const std::string scope = GENERATE(
      R"("instrumentation_scope":{"name":"strands.telemetry.tracer","version":"1.2"},"attributes":{)",
      R"("instrumentationScope":{"name":"strands.telemetry.tracer"},"attributes":{)",
      R"("attributes":{"otel.library.name":"strands.telemetry.tracer",)",
      R"("attributes":{"otel.scope.name":"strands.telemetry.tracer",)");
  const Trace trace =
      read_log(R"({"name":"chat","context":{"trace_id":"0xa1","span_id":"0xb1"},)"
               R"("start_time":"2026-03-01T09:00:00Z","end_time":"2026-03-01T09:00:01Z",)" +
               scope + attributes + "}}\n");
  REQUIRE(trace.gen_ai.size() == 1);
  CHECK(trace.gen_ai[0].tokens.input == 900);
  CHECK(trace.gen_ai[0].tokens.cache_creation == 600);
  CHECK(trace.gen_ai[0].token_rule == TokenRule::emitter);
}

TEST_CASE("what is around a call of the AI SDK does not count its details again") {
  CHECK(counted({"ai"}, {{"ai.usage.cachedInputTokens", 600}, {"ai.usage.totalTokens", 940}}) ==
        "-1+-1+-1:-1 by ");
}

namespace {

/// The only thing that a span with these attributes tells of agents, tools and models.
GenAi tokens_told(const Trace& trace) {
  REQUIRE(trace.gen_ai.size() == 1);
  return trace.gen_ai[0];
}
Trace span_telling(const std::string& attributes) {
  return read_log(R"({"name":"ask","context":{"trace_id":"0xa1","span_id":"0xb1"},)"
                  R"("start_time":"2026-03-01T09:00:00Z","end_time":"2026-03-01T09:00:01Z",)"
                  R"("attributes":{)" +
                  attributes + "}}\n");
}

}  // namespace

TEST_CASE("a model call is one by the older names that begin with llm, too") {
  const Trace trace = span_telling(
      R"("llm.vendor":"openai","llm.request.type":"chat.completion","llm.request.model":"gpt-5.2",)"
      R"("llm.response.model":"gpt-5.2-2026-01-01","llm.usage.prompt_tokens":90,)"
      R"("llm.usage.completion_tokens":7,"llm.usage.cache_read_input_tokens":60,)"
      R"("llm.usage.total_tokens":97)");
  const GenAi told = tokens_told(trace);
  CHECK(told.role == GenAi::Role::model);
  CHECK(trace[told.model] == "gpt-5.2-2026-01-01");
  CHECK(trace[told.provider] == "openai");
  CHECK(told.tokens.input == 30);
  CHECK(told.tokens.cache_read == 60);
  CHECK(told.tokens.output == 7);
  SECTION("where no kind of request is named, by its model and its tokens") {
    const Trace other = span_telling(R"("llm.model":"m-1","llm.usage.prompt_tokens":90)");
    CHECK(tokens_told(other).role == GenAi::Role::model);
    CHECK(other[tokens_told(other).model] == "m-1");
  }
  SECTION("of old and new names the new ones count") {
    const Trace both = span_telling(R"("gen_ai.request.model":"m-2","llm.request.model":"m-1",)"
                                    R"("gen_ai.usage.input_tokens":5,"llm.usage.prompt_tokens":6)");
    CHECK(both[tokens_told(both).model] == "m-2");
    CHECK(tokens_told(both).tokens.input == 5);
  }
}

TEST_CASE("what a span says that it cost counts, by whichever name") {
  const std::string name =
      GENERATE("gen_ai.usage.cost", "gen_ai.usage.total_cost", "gen_ai.usage.cost_usd",
               "gen_ai.cost.total_cost", "llm.usage.total_cost", "llm.cost.total");
  const std::string value = GENERATE("0.25", R"("0.25")");
  CAPTURE(name, value);
  const Trace trace = span_telling(
      R"("gen_ai.request.model":"m-1","gen_ai.usage.input_tokens":5,")" + name + "\":" + value);
  CHECK(tokens_told(trace).cost == 250'000'000);
}

TEST_CASE("Google's ADK tells what was thought and cached in the answer alone") {
  const Trace trace = span_telling(
      R"("gen_ai.request.model":"gemini-2.5-flash","gen_ai.usage.input_tokens":1000,)"
      R"("gen_ai.usage.output_tokens":50,"gcp.vertex.agent.llm_response":)"
      R"("{\"usage_metadata\":{\"thoughts_token_count\":300,\"cached_content_token_count\":400,)"
      R"(\"total_token_count\":1350}}")");
  CHECK(tokens_told(trace).tokens == Tokens{.input = 600, .output = 350, .cache_read = 400});
}

TEST_CASE("older names of counts are known") {
  const Trace kernel =
      span_telling(R"("gen_ai.request.model":"m","gen_ai.response.prompt_tokens":9,)"
                   R"("gen_ai.response.completion_tokens":5)");
  CHECK(tokens_told(kernel).tokens == Tokens{.input = 9, .output = 5});
  const Trace cached = span_telling(
      R"("gen_ai.request.model":"m","gen_ai.usage.input_tokens":9,"gen_ai.usage.output_tokens":5,)"
      R"("gen_ai.usage.details.cached_tokens":4)");
  CHECK(tokens_told(cached).tokens == Tokens{.input = 5, .output = 5, .cache_read = 4});
}

}  // namespace xtrace
