#include <catch2/catch.hpp>

#include "reading.h"

namespace xtrace {

namespace {

/// A state of one call: how many seconds it ran so far (0: it had not ended), and its counts.
std::string state_of_call(int seconds, int input = 0, int output = 0,
                          const std::string& kind = "3") {
  std::string attributes = R"({"key":"gen_ai.request.model","value":{"stringValue":"m"}},)"
                           R"({"key":"gen_ai.operation.name","value":{"stringValue":"chat"}})";
  if (input > 0)
    attributes += R"(,{"key":"gen_ai.usage.input_tokens","value":{"intValue":")" +
                  std::to_string(input) + R"("}})";
  if (output > 0)
    attributes += R"(,{"key":"gen_ai.usage.output_tokens","value":{"intValue":")" +
                  std::to_string(output) + R"("}})";
  const std::string end =
      seconds == 0 ? ""
                   : R"("endTimeUnixNano":")" + std::to_string(100 + seconds) + R"(000000000",)";
  return R"({"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"a1","spanId":"b1","name":"chat",)"
         R"("kind":)" +
         kind + R"(,"startTimeUnixNano":"100000000000",)" + end + R"("attributes":[)" + attributes +
         "]}]}]}]}\n";
}

}  // namespace

TEST_CASE("states of one span are one span with the last end and its counts, in any order") {
  std::string log = GENERATE(
      state_of_call(0) + state_of_call(9, 500, 50), state_of_call(9, 500, 50) + state_of_call(0),
      state_of_call(2, 500) + state_of_call(9, 500, 50),
      state_of_call(9, 500, 50) + state_of_call(2, 500),
      state_of_call(2, 400) + state_of_call(2, 400) + state_of_call(9, 500, 50),
      state_of_call(0, 500, 50) + state_of_call(9),
      state_of_call(9, 500) + state_of_call(9, 500, 50),
      state_of_call(1) + state_of_call(9, 500, 50) + state_of_call(5, 500, 20));
  CAPTURE(log);
  const Trace trace = read_log(log);
  REQUIRE(trace.spans.size() == 1);
  CHECK(trace.spans[0].duration == std::chrono::seconds(9));
  CHECK(trace[trace.spans[0].gen_ai].tokens == Tokens{.input = 500, .output = 50});
  CHECK(trace.complaints.empty());
}

TEST_CASE("equal copies of a span and both sides of a call are no states of one span") {
  CHECK(read_log(state_of_call(9, 500, 50) + state_of_call(9, 500, 50)).spans.size() == 2);
  CHECK(read_log(state_of_call(9, 500, 50, "3") + state_of_call(8, 0, 0, "2")).spans.size() == 2);
}

}  // namespace xtrace
