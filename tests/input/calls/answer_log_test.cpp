#include <catch2/catch.hpp>
#include <string>

#include "reading.h"

using namespace xtrace;

TEST_CASE("an answer without its request is one call, whoever's API gave it") {
  for (
      const char* line :
      {R"({"id":"a","object":"chat.completion","created":1767261600,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":10,"completion_tokens":5}})",
       R"({"id":"a","object":"text_completion","created":1767261600,"model":"m","choices":[{"text":"hi"}],"usage":{"prompt_tokens":10,"completion_tokens":5}})",
       R"({"id":"a","object":"response","created_at":1767261600,"model":"m","status":"completed","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"hi"}]}],"usage":{"input_tokens":10,"output_tokens":5}})",
       R"({"id":"a","timestamp":"2026-01-01T10:00:00Z","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"hi"}],"usage":{"input_tokens":10,"output_tokens":5}})",
       R"({"model":"m","created_at":"2026-01-01T10:00:02Z","response":"hi","done":true,"total_duration":2000000000,"prompt_eval_count":10,"eval_count":5})",
       R"({"timestamp":"2026-01-01T10:00:00Z","content":"hi","model":"m","tokens_evaluated":10,"tokens_predicted":5})",
       R"({"timestamp":"2026-01-01T10:00:00Z","session_id":"s","response":{"id":"a","model":"m","choices":[{"message":{"role":"assistant","content":"hi"}}],"usage":{"prompt_tokens":10,"completion_tokens":5}}})"}) {
    CAPTURE(line);
    const Trace trace = read_log(std::string(line) + "\n");
    REQUIRE(trace.calls.size() == 1);
    const Call& call = trace.calls.front();
    CHECK(call.outcome == Outcome::ok);
    CHECK(call.tokens == Tokens{.input = 10, .output = 5});
    CHECK(trace[call.model] == "m");
    CHECK(call.start == Time(std::chrono::seconds(1767261600)));
    CHECK(call.answer);
    CHECK(complaints_of(trace).empty());
  }
}

TEST_CASE("what only looks like an answer is no call") {
  for (const char* line :
       {R"({"question":"Which?","choices":["a","b"]})", R"({"content":"hi","stop":true})",
        R"({"id":"a","object":"chat.completion.chunk","choices":[{"delta":{"content":"hi"}}]})",
        R"({"model":"m","created_at":"2026-01-01T10:00:02Z","response":"h","done":false})",
        R"({"model":"m","response":"h"})",
        R"({"type":"message","role":"assistant","content":[]})"}) {
    CAPTURE(line);
    CHECK(load_log(std::string(line) + "\n").value_or(Trace()).calls.empty());
  }
}
