#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "reading.h"

namespace xtrace {

namespace {

using Json = nlohmann::json;

/// A span of OpenTelemetry as some library writes it.
struct Emitted {
  std::string scope;
  std::string name;
  Json attributes = Json::object();
  bool failed = false;
};

Trace read_emitted(const Emitted& span) {
  Json attributes = Json::array();
  for (const auto& [key, value] : span.attributes.items()) {
    const char* kind = value.is_string() ? "stringValue" : "intValue";
    attributes.push_back({{"key", key}, {"value", {{kind, value}}}});
  }
  Json one = {{"traceId", "a1"},          {"spanId", "b1"},         {"name", span.name},
              {"startTimeUnixNano", "1"}, {"endTimeUnixNano", "2"}, {"attributes", attributes},
              {"status", Json::object()}};
  if (span.failed) one["status"] = {{"code", 2}, {"message", "boom"}};
  const Json scope = {{"scope", {{"name", span.scope}}}, {"spans", Json::array({one})}};
  const Json resource = {{"scopeSpans", Json::array({scope})}};
  return read_log(Json{{"resourceSpans", Json::array({resource})}}.dump() + "\n");
}

/// `model gpt-x 36+64:20 $500000` of what a model was asked, `tool search failed`, `agent planner`.
std::string told_by(const Emitted& span) {
  const Trace trace = read_emitted(span);
  if (trace.gen_ai.empty()) return "nothing";
  const GenAi& told = trace.gen_ai[0];
  std::string text;
  switch (told.role) {
    case GenAi::Role::agent: text = "agent " + std::string(trace[told.agent]); break;
    case GenAi::Role::tool: text = "tool " + std::string(trace[told.tool]); break;
    case GenAi::Role::model: text = "model " + std::string(trace[told.model]); break;
    case GenAi::Role::retrieval: text = "retrieval"; break;
    case GenAi::Role::other: text = "other"; break;
  }
  if (told.tokens != Tokens())
    text += " " + std::to_string(told.tokens.input) + "+" + std::to_string(told.tokens.cache_read) +
            ":" + std::to_string(told.tokens.output);
  if (told.cost >= 0) text += " $" + std::to_string(told.cost);
  return text + (trace.spans[0].outcome == Outcome::error ? " failed" : "");
}

}  // namespace

TEST_CASE("what MLflow sends over OpenTelemetry's protocol is JSON in each attribute") {
  const Json usage = {{"input_tokens", 100}, {"output_tokens", 20}, {"total_tokens", 120}};
  CHECK(told_by({"mlflow",
                 "Completions",
                 {{"mlflow.spanType", R"("CHAT_MODEL")"},
                  {"mlflow.llm.model", R"("gpt-x")"},
                  {"mlflow.chat.tokenUsage", usage.dump()},
                  {"mlflow.llm.cost", R"({"total_cost":0.0005})"}}}) ==
        "model gpt-x 100+-1:20 $500000");
  CHECK(told_by({"mlflow", "search", {{"mlflow.spanType", R"("TOOL")"}}, true}) ==
        "tool search failed");
  CHECK(told_by({"mlflow", "planner", {{"mlflow.spanType", R"("AGENT")"}}}) == "agent planner");
  CHECK(told_by({"mlflow", "find", {{"mlflow.spanType", R"("RETRIEVER")"}}}) == "retrieval");
  SECTION("what is no JSON there is a word") {
    CHECK(told_by({"mlflow", "planner", {{"mlflow.spanType", "AGENT"}}}) == "agent planner");
    CHECK(told_by({"mlflow",
                   "chat",
                   {{"mlflow.spanType", R"("LLM")"}, {"mlflow.chat.tokenUsage", "{"}}}) ==
          "model ");
  }
}

TEST_CASE("what Langfuse sends over OpenTelemetry's protocol has its own words and buckets") {
  auto generation = [](const Json& usage) {
    return Emitted{"langfuse-sdk",
                   "llm",
                   {{"langfuse.observation.type", "generation"},
                    {"langfuse.observation.model.name", "gpt-x"},
                    {"langfuse.observation.usage_details", usage.dump()},
                    {"langfuse.observation.cost_details", R"({"total":0.0005})"}}};
  };
  CHECK(told_by(generation(
            {{"input", 36}, {"output", 20}, {"input_cached_tokens", 64}, {"total", 120}})) ==
        "model gpt-x 36+64:20 $500000");
  SECTION("thoughts are beside the output") {
    CHECK(told_by(generation(
              {{"input", 36}, {"output", 20}, {"output_reasoning_tokens", 5}, {"total", 61}})) ==
          "model gpt-x 36+-1:25 $500000");
  }
  SECTION("or those of the vendor, which count the cache within") {
    CHECK(told_by(generation({{"prompt_tokens", 100},
                              {"completion_tokens", 20},
                              {"total_tokens", 120},
                              {"prompt_tokens_details", {{"cached_tokens", 64}}}})) ==
          "model gpt-x 36+64:20 $500000");
  }
  SECTION("what failed has a level for it") {
    CHECK(told_by({"langfuse-sdk",
                   "search",
                   {{"langfuse.observation.type", "tool"},
                    {"langfuse.observation.level", "ERROR"},
                    {"langfuse.observation.status_message", "boom"}}}) == "tool search failed");
  }
}

TEST_CASE("Semantic Kernel has words of its own for what a model is asked") {
  const std::string operation = GENERATE("chat.completions", "chat.streaming_completions",
                                         "text.completions", "text.streaming_completions");
  const Json asked = {{"gen_ai.operation.name", operation}, {"gen_ai.request.model", "gpt-x"}};
  CHECK(told_by({"Microsoft.SemanticKernel.Diagnostics", operation, asked}) == "model gpt-x");
  CHECK(told_by({"Microsoft.SemanticKernel.Diagnostics", operation, asked, true}) ==
        "model gpt-x failed");
}

TEST_CASE("Spring AI calls a run of a tool work of the framework, and names the tool") {
  CHECK(told_by({"org.springframework.boot",
                 "tool_call weather",
                 {{"gen_ai.operation.name", "framework"},
                  {"spring.ai.kind", "tool_call"},
                  {"spring.ai.tool.definition.name", "weather"}}}) == "tool weather");
}

TEST_CASE("what ADK puts together of tools that ran at once is no tool") {
  CHECK(told_by({"gcp.vertex.agent",
                 "execute_tool (merged tools)",
                 {{"gen_ai.operation.name", "execute_tool"},
                  {"gen_ai.tool.name", "(merged tools)"},
                  {"gen_ai.tool.call.id", "ev9"}}}) == "nothing");
  CHECK(told_by({"xtrace", "execute_tool (merged tools)"}) == "nothing");
}

TEST_CASE("Strands tells by a status of the tool alone that it failed") {
  const std::string status = GENERATE("tool.status", "gen_ai.tool.status");
  const Json ran = {{"gen_ai.operation.name", "execute_tool"}, {"gen_ai.tool.name", "calc"}};
  Json failed = ran, succeeded = ran;
  failed[status] = "error", succeeded[status] = "success";
  CHECK(told_by({"strands.telemetry.tracer", "execute_tool calc", failed}) == "tool calc failed");
  CHECK(told_by({"strands.telemetry.tracer", "execute_tool calc", succeeded}) == "tool calc");
}

}  // namespace xtrace
