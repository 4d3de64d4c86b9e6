#include <catch2/catch.hpp>

#include "reading.h"

namespace xtrace {

TEST_CASE("rows of Langfuse's tables are observations, old and new ones") {
  const std::string rows[] = {
      R"({"id":"b1","trace_id":"a1","type":"GENERATION","start_time":"2026-03-01 09:00:00.000",)"
      R"("end_time":"2026-03-01 09:00:02.000","name":"chat","parent_observation_id":"b0",)"
      R"("level":"ERROR","provided_model_name":"m","usage_details":{"input":"7","total":"7"},)"
      R"("total_cost":0.25})",
      R"({"span_id":"b1","trace_id":"a1","type":"GENERATION","start_time":)"
      R"("2026-03-01 09:00:00.000","end_time":"2026-03-01 09:00:02.000","name":"chat",)"
      R"("parent_span_id":"b0","level":"ERROR","provided_model_name":"m",)"
      R"("usage_details":{"input":7},"cost_details":{"total":0.25}})",
      R"({"id":"b1","trace_id":"a1","type":"GENERATION","start_time":"2026-03-01T09:00:00Z",)"
      R"("end_time":"2026-03-01T09:00:02Z","name":"chat","parent_observation_id":"b0",)"
      R"("level":"ERROR","model":"m","prompt_tokens":7,"completion_tokens":0,"total_tokens":7,)"
      R"("calculated_total_cost":"0.25"})"};
  for (const std::string& row : rows) {
    CAPTURE(row);
    const Trace trace = read_log(row + "\n");
    REQUIRE(trace.spans.size() == 1);
    CHECK(trace.sources.front().format == "langfuse");
    CHECK(trace.spans[0].parents == 1);
    CHECK(trace.spans[0].duration == std::chrono::seconds(2));
    CHECK(trace.spans[0].outcome == Outcome::error);
    REQUIRE(trace.spans[0].gen_ai);
    CHECK(trace[trace.spans[0].gen_ai].tokens.input == 7);
    CHECK(trace[trace.spans[0].gen_ai].cost == 250'000'000);
  }
}

}  // namespace xtrace
