#include <catch2/catch.hpp>

#include "reading.h"

namespace xtrace {

namespace {

const std::string kOpikBegin =
    R"({"id":"b1","project_id":"p","trace_id":"a1","parent_span_id":"b0","name":"chat",)"
    R"("type":"llm","start_time":"2026-03-01T09:00:00.000000Z","end_time":)"
    R"("2026-03-01T09:00:02Z","model":"m","provider":"anthropic","total_estimated_cost":0.25,)"
    R"("usage":{"prompt_tokens":30,"completion_tokens":12,"total_tokens":42,)";

}  // namespace

TEST_CASE("a span of Opik is read by itself, in a page, and with its trace") {
  const std::string span = kOpikBegin +
                           R"("original_usage.prompt_tokens":30,)"
                           R"("original_usage.prompt_tokens_details.cached_tokens":10},)"
                           R"("error_info":{"exception_type":"TimeoutError","message":"slow"}})";
  const std::string logs[] = {span, "[" + span + "]",
                              R"({"page":1,"total":1,"content":[)" + span + "]}",
                              R"({"spans":[)" + span + "]}",
                              R"({"trace":{"id":"a1","thread_id":"pond"},"spans":[)" + span +
                                  R"(],"project_name":"shop"})"};
  for (const std::string& log : logs) {
    CAPTURE(log);
    const Trace trace = read_log(log + "\n");
    REQUIRE(trace.spans.size() == 1);
    const Span& one = trace.spans.front();
    CHECK(trace.sources.front().format == "opik");
    CHECK(one.duration == std::chrono::seconds(2));
    CHECK(one.outcome == Outcome::error);
    CHECK(one.parents == 1);
    REQUIRE(one.gen_ai);
    const GenAi& told = trace[one.gen_ai];
    CHECK(told.role == GenAi::Role::model);
    CHECK(told.tokens.input == 20);
    CHECK(told.tokens.cache_read == 10);
    CHECK(told.tokens.output == 12);
    CHECK(told.cost == 250'000'000);
    CHECK(trace[told.error] == "TimeoutError");
    if (log.find("pond") != log.npos) CHECK(trace[one.session] == "pond");
    CHECK(trace.complaints.empty());
  }
}

TEST_CASE("what Opik adds to the counts of Anthropic is not counted again") {
  const Trace trace = read_log(kOpikBegin + R"("original_usage.input_tokens":20,)"
                                            R"("original_usage.output_tokens":5,)"
                                            R"("original_usage.cache_read_input_tokens":10,)"
                                            R"("original_usage.cache_creation_input_tokens":7}})"
                                            "\n");
  REQUIRE(trace.spans.size() == 1);
  REQUIRE(trace.spans[0].gen_ai);
  const Tokens& tokens = trace[trace.spans[0].gen_ai].tokens;
  CHECK(tokens.input == 20);
  CHECK(tokens.output == 5);
  CHECK(tokens.cache_read == 10);
  CHECK(tokens.cache_creation == 7);
}

}  // namespace xtrace
