#include <catch2/catch.hpp>

#include "reading.h"

namespace xtrace {

namespace {

const std::string kAdkAsked =
    R"({"id":"e1","invocationId":"i","author":"user","content":{"parts":[{"text":"dig"}],)"
    R"("role":"user"},"timestamp":1772355600.5})";
const std::string kAdkCalled =
    R"({"id":"e2","invocationId":"i","author":"cook","content":{"parts":[{"text":"How?",)"
    R"("thought":true},{"functionCall":{"id":"c1","name":"spade","args":{}}}],"role":"model"},)"
    R"("timestamp":1772355602,"modelVersion":"gemini-2.5-flash","usageMetadata":)"
    R"({"promptTokenCount":9,"cachedContentTokenCount":4,"candidatesTokenCount":2,)"
    R"("thoughtsTokenCount":3,"totalTokenCount":14}})";
const std::string kAdkGave =
    R"({"id":"e3","invocationId":"i","author":"cook","content":{"parts":[{"functionResponse":)"
    R"({"id":"c1","name":"spade","response":{"error":"broken"}}}],"role":"user"},)"
    R"("timestamp":1772355603})";
const std::string kAdkPiece =
    R"({"id":"e4","invocationId":"i","author":"cook","content":{"parts":[{"text":"The"}],)"
    R"("role":"model"},"timestamp":1772355604,"partial":true})";
const std::string kAdkFailed =
    R"({"id":"e5","invocationId":"i","author":"cook","timestamp":1772355605,"actions":{},)"
    R"("errorCode":"RESOURCE_EXHAUSTED","errorMessage":"quota"})";
const std::string kAdkEvents =
    kAdkAsked + "," + kAdkCalled + "," + kAdkGave + "," + kAdkPiece + "," + kAdkFailed;

void check_adk_calls(const Trace& trace) {
  REQUIRE(trace.calls.size() == 2);
  const Call& call = trace.calls[0];
  CHECK(trace[call.model] == "gemini-2.5-flash");
  CHECK(call.outcome == Outcome::ok);
  CHECK(call.tokens.input == 5);
  CHECK(call.tokens.cache_read == 4);
  CHECK(call.tokens.output == 5);
  CHECK(trace.calls[1].outcome == Outcome::error);
  REQUIRE_FALSE(trace.tool_uses.empty());
  CHECK(trace[trace.tool_uses[0].name] == "spade");
  REQUIRE_FALSE(trace.tool_results.empty());
  CHECK(trace.tool_results[0].is_error);
  CHECK(trace.sources.front().format == "adk");
  CHECK(trace.complaints.empty());
}

/// `user_id` of `userId`
std::string spelled_with_underscores(const std::string& json) {
  std::string text;
  for (size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    const bool is_in_key = i > 0 && json[i - 1] >= 'a' && json[i - 1] <= 'z';
    const bool is_joint = c >= 'A' && c <= 'Z' && is_in_key;
    text += is_joint ? std::string("_") + static_cast<char>(c | 0x20) : std::string(1, c);
  }
  return text;
}

}  // namespace

TEST_CASE("a session of Google's ADK is read in both spellings") {
  const std::string session =
      R"({"id":"s","appName":"garden","userId":"ann","state":{},"events":[)" + kAdkEvents +
      R"(],"lastUpdateTime":1772355605})";
  for (const std::string& log : {session, spelled_with_underscores(session), "[" + session + "]"}) {
    CAPTURE(log);
    const Trace trace = read_log(log + "\n");
    check_adk_calls(trace);
    CHECK(trace[trace.calls[0].session] == "s");
  }
}

TEST_CASE("events of Google's ADK are read without their session") {
  check_adk_calls(read_log("[" + kAdkEvents + "]\n"));
  std::string asked = kAdkAsked;
  asked.replace(asked.find(R"(,"role":"user")"), std::string(R"(,"role":"user")").size(), "");
  check_adk_calls(read_log(asked + "\n" + kAdkCalled + "\n" + kAdkGave + "\n" + kAdkFailed + "\n"));
  check_adk_calls(
      read_log(kAdkAsked + "\n" + kAdkCalled + "\n" + kAdkGave + "\n" + kAdkFailed + "\n"));
}

}  // namespace xtrace
