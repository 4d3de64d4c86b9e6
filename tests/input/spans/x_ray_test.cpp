#include <catch2/catch.hpp>

#include "reading.h"

namespace xtrace {

TEST_CASE("a segment of X-Ray is a span, and so is each of its subsegments") {
  const std::string segment =
      R"({"id":"b0b0b0b0b0b0b0b0","name":"shop","trace_id":)"
      R"("1-5759e988-bd862e3fe1be46a994272793","start_time":1772355600.5,"end_time":1772355603,)"
      R"("metadata":{"default":{"gen_ai.operation.name":"invoke_agent",)"
      R"("gen_ai.agent.name":"cook"}},"subsegments":[{"id":"b1b1b1b1b1b1b1b1","name":"chat",)"
      R"("start_time":1772355601,"end_time":1772355602,"fault":true,"cause":{"exceptions":[)"
      R"({"type":"TimeoutError","message":"slow"}]},"annotations":{"gen_ai_request_model":"m",)"
      R"("gen_ai_usage_input_tokens":7},"subsegments":[{"id":"b2b2b2b2b2b2b2b2","name":"send",)"
      R"("start_time":1772355601,"in_progress":true}]}]})";
  std::string document = "\"";
  for (const char c : segment) document += c == '"' ? "\\\"" : std::string(1, c);
  for (const std::string& log :
       {segment, R"({"Traces":[{"Id":"1","Segments":[{"Id":"b0","Document":)" + document +
                     R"("}]}],"UnprocessedTraceIds":[]})"}) {
    CAPTURE(log);
    const Trace trace = read_log(log + "\n");
    REQUIRE(trace.spans.size() == 3);
    CHECK(trace.sources.front().format == "x-ray");
    CHECK(complaints_of(trace).empty());
    size_t failed = 0, below = 0, open = 0;
    for (const Span& span : trace.spans) {
      CHECK(trace[span.trace] == "5759e988bd862e3fe1be46a994272793");
      CHECK(trace[span.service] == "shop");
      below += span.parents;
      failed += span.outcome == Outcome::error;
      open += span.outcome == Outcome::unfinished;
      if (trace[span.operation] != "chat") continue;
      CHECK(span.duration == std::chrono::seconds(1));
      REQUIRE(span.gen_ai);
      CHECK(trace[span.gen_ai].tokens.input == 7);
      CHECK(trace[trace[span.gen_ai].model] == "m");
      CHECK(trace[trace[span.gen_ai].error] == "TimeoutError");
    }
    CHECK(below == 2);
    CHECK(failed == 1);
    CHECK(open == 1);
  }
}

}  // namespace xtrace
