#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "link/graph/graph.h"
#include "reading.h"

using namespace xtrace;

namespace {

/// One exchange with Google's API.
std::string google(int second, const std::string& contents, const std::string& answer) {
  return fmt::format(
      R"({{"timestamp":"2026-03-01T10:00:{:02}Z","duration_ms":1000,)"
      R"("url":"https://example.com/v1beta/models/gem-3:generateContent","request":{{)"
      R"("contents":[{}],"systemInstruction":{{"parts":[{{"text":"You dig."}}]}},)"
      R"("generationConfig":{{"maxOutputTokens":99}}}},"response":{}}})"
      "\n",
      second, contents, answer);
}

constexpr const char* kAsked = R"({"role":"user","parts":[{"text":"dig"}]})";
constexpr const char* kUses =
    R"({"role":"model","parts":[{"text":"hm","thought":true},{"functionCall":{"name":"look",)"
    R"("args":{"path":"a"}}},{"functionCall":{"name":"look","args":{"path":"b"}}}]})";
constexpr const char* kGiven =
    R"({"role":"user","parts":[{"functionResponse":{"name":"look","response":{"output":"soil"}}},)"
    R"({"functionResponse":{"name":"look","response":{"error":"stones"}}}]})";

std::string answers(const std::string& content) {
  return R"({"candidates":[{"content":)" + content +
         R"(,"finishReason":"STOP"}],"responseId":"r1","usageMetadata":{"promptTokenCount":100,)"
         R"("cachedContentTokenCount":40,"candidatesTokenCount":7,"thoughtsTokenCount":3}})";
}

std::string links_in(const std::string& log) {
  const Graph graph = link(read_log(log), {});
  std::string text;
  for (const Link& link : graph.links()) {
    const std::string_view use = graph.trace()[link.key];
    text += fmt::format("{} {}{}; ", word(link.kind), use.substr(0, use.find('-')),
                        link.is_error ? " failed" : "");
  }
  return text;
}

}  // namespace

TEST_CASE("Google's exchanges have a model, tokens and what was said") {
  const Trace trace = read_log(google(1, kAsked, answers(kUses)));
  REQUIRE(trace.calls.size() == 1);
  const Call& call = trace.calls[0];
  CHECK(trace[call.model] == "gem-3");
  CHECK(trace[call.stop_reason] == "STOP");
  CHECK(call.outcome == Outcome::ok);
  CHECK(call.tokens.input == 60);
  CHECK(call.tokens.cache_read == 40);
  CHECK(call.tokens.output == 10);
  CHECK(call.max_tokens == 99);
  CHECK(call.system_prompt);
  CHECK(trace.tool_uses.size() == 2);
}

TEST_CASE("results that Google's clients give no ids come in the order of their tool's uses") {
  const std::string said = std::string(kAsked) + "," + kUses + "," + kGiven;
  const std::string end = R"({"role":"model","parts":[{"text":"done"}]})";
  const std::string all = google(1, kAsked, answers(kUses)) + google(5, said, answers(end));
  CHECK(links_in(all) == "tool_result look; tool_result look failed; continuation ; ");
  SECTION("also where the answer came as a stream") {
    const std::string stream =
        R"("data: {\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":{\"name\":)"
        R"(\"look\",\"args\":{\"path\":\"a\"}}}]}}]}\n\ndata: {\"candidates\":[{\"content\":)"
        R"({\"parts\":[{\"functionCall\":{\"name\":\"look\",\"args\":{\"path\":\"b\"}}}]}}],)"
        R"(\"usageMetadata\":{\"promptTokenCount\":9,\"candidatesTokenCount\":2}}\n\n")";
    CHECK(links_in(google(1, kAsked, stream) + google(5, said, answers(end))) ==
          "tool_result look; tool_result look failed; continuation ; ");
  }
}
