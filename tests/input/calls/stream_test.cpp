#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "reading.h"

using namespace xtrace;

namespace {

/// A call of which the answer came as these events.
Trace streamed(const std::string& events) {
  const nlohmann::json record = {
      {"id", "r1"},
      {"timestamp", "2026-03-01T10:00:00Z"},
      {"request", {{"model", "m"}, {"messages", {{{"role", "user"}, {"content", "hi"}}}}}},
      {"response", events}};
  return read_log(record.dump() + "\n");
}

const std::string kBegun =
    "data: "
    R"({"type":"message_start","message":{"id":"m","usage":{"input_tokens":7,"output_tokens":1}}})"
    "\n\n";

}  // namespace

TEST_CASE("a stream that breaks off put out more than it began with") {
  const Trace trace = streamed(kBegun);
  CHECK(trace.calls.at(0).output_is_low);
  CHECK_THAT(complaints_of(trace), Catch::Contains("the stream ended before its last event"));
}

TEST_CASE("a stream that ends in an error put out more than it began with") {
  const Trace trace = streamed(
      kBegun + R"(data: {"type":"error","error":{"type":"overloaded_error","message":"busy"}})" +
      "\n\n");
  CHECK(trace.calls.at(0).output_is_low);
  CHECK(trace.calls.at(0).outcome == Outcome::error);
  CHECK(complaints_of(trace) == "");
}

TEST_CASE("a stream that comes to its end says what it put out") {
  const Trace trace = streamed(
      kBegun + R"(data: {"type":"message_delta","delta":{},"usage":{"output_tokens":56}})" +
      "\n\n" + R"(data: {"type":"message_stop"})" + "\n\n");
  CHECK_FALSE(trace.calls.at(0).output_is_low);
  CHECK(trace.calls.at(0).tokens.output == 56);
  CHECK(complaints_of(trace) == "");
}

TEST_CASE("vendors tell in their own ways that a stream has ended") {
  const std::string events = GENERATE(
      R"(data: {"type":"response.completed","response":{"id":"r","model":"m","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"x"}]}],"usage":{"input_tokens":7,"output_tokens":3}}})"
      "\n\n",
      R"(data: {"object":"chat.completion.chunk","id":"c","choices":[{"index":0,"delta":{"content":"x"}}],"usage":{"prompt_tokens":7,"completion_tokens":1}})"
      "\n\ndata: [DONE]\n\n",
      R"({"model":"m","message":{"role":"assistant","content":"x"},"done":false})"
      "\n"
      R"({"model":"m","message":{"role":"assistant","content":""},"done":true,"eval_count":3})"
      "\n");
  const Trace trace = streamed(events);
  CHECK_FALSE(trace.calls.at(0).output_is_low);
  CHECK(complaints_of(trace) == "");
}
