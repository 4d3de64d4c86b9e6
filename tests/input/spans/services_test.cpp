#include <catch2/catch.hpp>

#include "reading.h"

using namespace xtrace;

namespace {

/// A line for each span: `chat model ok 600+60 (200 read)`.
std::string spans_in(const std::string& log, std::string_view format) {
  const Trace trace = read_log(log);
  CHECK(trace.complaints.empty());
  CHECK(trace.sources.front().format == format);
  std::string text;
  for (const Span& span : trace.spans) {
    text += std::string(trace[span.operation]) + " " + std::string(word(span.outcome));
    if (span.gen_ai) {
      const GenAi& told = trace[span.gen_ai];
      constexpr std::string_view kRoles[] = {" other", " agent", " tool", " model"};
      const bool is_known = static_cast<size_t>(told.role) < std::size(kRoles);
      text += is_known ? std::string(kRoles[static_cast<size_t>(told.role)]) : " ?";
      if (told.tokens.output >= 0)
        text += " " + std::to_string(told.tokens.input) + "+" + std::to_string(told.tokens.output);
      if (told.tokens.cache_read > 0)
        text += " (" + std::to_string(told.tokens.cache_read) + " read)";
    }
    text += '\n';
  }
  return text;
}

}  // namespace

TEST_CASE("Weave: a call around others states their sum, and what it traces by itself is a model") {
  CHECK(spans_in(project_file("fixtures/exports/weave.jsonl"), "weave") ==
        "plan_beds ok other 1200+120 (300 read)\n"
        "openai.chat.completions.create ok model 600+60\n"
        "find_seeds error tool\n"
        "openai.chat.completions.create ok model 600+60 (300 read)\n");
}

TEST_CASE("Braintrust: the type of a span tells what it is") {
  CHECK(spans_in(project_file("fixtures/exports/braintrust.json"), "braintrust") ==
        "plan_beds ok\n"
        "Chat Completion ok model 400+60 (200 read)\n"
        "find_seeds error tool\n"
        "Accuracy ok\n");
}

TEST_CASE("Datadog's LLM Observability: sent spans have their kind in `meta`") {
  CHECK(spans_in(project_file("fixtures/exports/datadog.json"), "datadog-llm") ==
        "gardener ok agent\n"
        "ask ok model 400+60 (200 read)\n"
        "find_seeds error tool\n");
}

TEST_CASE("Azure Monitor: a row keeps the attributes in its properties") {
  CHECK(spans_in(project_file("fixtures/exports/azure-monitor.jsonl"), "azure-monitor") ==
        "invoke_agent gardener ok agent\n"
        "chat gpt-5.2 ok model 600+60\n"
        "execute_tool find_seeds error tool\n");
}
