#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "facts/payloads.h"
#include "input/excerpt.h"
#include "reading.h"

using namespace xtrace;

namespace {

/// `answer: text, tool calc {"a":1}` of what a span says in a tag.
std::string said_in(const std::string& tag, const std::string& value) {
  Folder folder;
  Progress progress;
  const std::string line = fmt::format(
      R"({{"resourceSpans":[{{"scopeSpans":[{{"spans":[{{"traceId":"a1","spanId":"b1","name":"chat",)"
      R"("startTimeUnixNano":"1","endTimeUnixNano":"2","attributes":[)"
      R"({{"key":"gen_ai.operation.name","value":{{"stringValue":"chat"}}}},)"
      R"({{"key":"{}","value":{{"stringValue":{}}}}}]}}]}}]}}]}})",
      tag, value);
  const Trace trace = load({folder.write("log.jsonl", line + "\n")}, {}, progress).value();
  REQUIRE(trace.spans.size() == 1);
  std::string text;
  for (const Quote& said : Excerpts(trace).quotes(trace.spans.front())) {
    text += text.empty() ? "" : ", ";
    text += said.is_answer ? "answer: " : "";
    if (said.kind == Quote::Kind::tool_use) text += fmt::format("tool {} ", said.tool);
    text += said.text;
  }
  return text;
}

}  // namespace

TEST_CASE("what Gemini answered in a span is its texts and the tools it calls") {
  CHECK(said_in("gcp.vertex.agent.llm_response",
                R"("{\"content\":{\"role\":\"model\",\"parts\":[{\"text\":\"Lemon.\"},)"
                R"({\"functionCall\":{\"name\":\"calc\",\"args\":{\"a\":1}}}]}}")") ==
        R"(answer: Lemon., answer: tool calc {"a":1})");
}

TEST_CASE("what a model answered in the parts of the GenAI conventions is told likewise") {
  CHECK(
      said_in("gen_ai.output.messages",
              R"("[{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"content\":\"Lemon.\"},)"
              R"({\"type\":\"tool_call\",\"name\":\"calc\",\"arguments\":{\"a\":1}}]}]")") ==
      R"(answer: Lemon., answer: tool calc {"a":1})");
}
