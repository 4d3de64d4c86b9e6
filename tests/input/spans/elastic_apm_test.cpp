#include <catch2/catch.hpp>

#include "reading.h"

namespace xtrace {

TEST_CASE("a document of Elastic APM is a span, whose labels have no dots") {
  const std::string rest =
      R"("trace":{"id":"a1"},"timestamp":{"us":1772355600000000},"service":{"name":"shop"},)"
      R"("labels":{"gen_ai_request_model":"m"},"numeric_labels":)"
      R"({"gen_ai_usage_input_tokens":7.0,"gen_ai_usage_cache_read_input_tokens":3.0},)";
  const Trace trace = read_log(
      R"({"processor":{"event":"transaction"},)" + rest +
      R"("transaction":{"id":"b0","name":"serve","duration":{"us":3000000}},"span":{"id":"b0"},)"
      R"("event":{"outcome":"success"}})"
      "\n"
      R"({"_source":{"processor":{"event":"span"},)" +
      rest +
      R"("parent":{"id":"b0"},"transaction":{"id":"b0"},"event":{"outcome":"failure"},)"
      R"("span":{"id":"b1","name":"chat","duration":{"us":2000000}}}})"
      "\n");
  REQUIRE(trace.spans.size() == 2);
  CHECK(trace.sources.front().format == "elastic-apm");
  CHECK(complaints_of(trace).empty());
  for (const Span& span : trace.spans) {
    const bool is_call = trace[span.operation] == "chat";
    CHECK(trace[span.id] == (is_call ? "b1" : "b0"));
    CHECK(trace[span.service] == "shop");
    CHECK(span.duration == std::chrono::seconds(is_call ? 2 : 3));
    CHECK(span.outcome == (is_call ? Outcome::error : Outcome::ok));
    CHECK(span.parents == (is_call ? 1 : 0));
    REQUIRE(span.gen_ai);
    CHECK(trace[span.gen_ai].tokens.input == 4);
    CHECK(trace[span.gen_ai].tokens.cache_read == 3);
  }
}

}  // namespace xtrace
