#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "reading.h"

namespace xtrace {

namespace {

/// `"a": "b"` as an attribute of OTLP.
std::string text(const std::string& key, const std::string& value) {
  return R"({"key":")" + key + R"(","value":{"stringValue":")" + value + R"("}},)";
}
std::string count(const std::string& key, int64_t value) {
  return R"({"key":")" + key + R"(","value":{"intValue":")" + std::to_string(value) + R"("}},)";
}

/// A record, written so many seconds after nine o'clock.
std::string record(int at, const std::string& body, std::string attributes,
                   const std::string& more = "") {
  attributes.pop_back();
  return fmt::format(
      R"({{"timeUnixNano":"{}000000000",{}"body":{{"stringValue":"{}"}},"attributes":[{}]}})",
      1772355600 + at, more, body, attributes);
}
std::string logs(const std::string& records, const std::string& scope) {
  return R"({"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":)"
         R"({"stringValue":"agent"}}]},"scopeLogs":[{"scope":{"name":")" +
         scope + R"("},"logRecords":[)" + records + "]}]}]}\n";
}
std::string claude(const std::string& records) {
  return logs(records, "com.anthropic.claude_code.events");
}
std::string traces(const std::string& spans) {
  return R"({"resourceSpans":[{"scopeSpans":[{"scope":{"name":)"
         R"("com.anthropic.claude_code.tracing"},"spans":[)" +
         spans + "]}]}]}\n";
}

const std::string kSession = text("session.id", "garden");

std::string request_of_claude(int at = 9) {
  return record(at, "claude_code.api_request",
                kSession + text("event.name", "api_request") + text("model", "claude-opus-4-8") +
                    count("input_tokens", 900) + count("output_tokens", 40) +
                    count("cache_read_tokens", 600) + count("cache_creation_tokens", 70) +
                    text("cost_usd", "0.25") + count("duration_ms", 4000) +
                    text("request_id", "req_rose"));
}
std::string failed_tool_of_claude() {
  return record(12, "claude_code.tool_result",
                kSession + text("event.name", "tool_result") + text("tool_name", "Bash") +
                    text("tool_use_id", "toolu_fern") + text("success", "false") +
                    text("error", "Command timed out after 2m") + count("duration_ms", 2000));
}

/// `model m 900+600+70:40 $250000000 ok 5s+4000ms in garden`, a line for each span.
std::string told_by(const Trace& trace) {
  std::string lines;
  for (const Span& span : trace.spans) {
    REQUIRE(span.gen_ai);
    const GenAi& told = trace[span.gen_ai];
    const Tokens& tokens = told.tokens;
    const bool is_tool = told.role == GenAi::Role::tool;
    lines += is_tool
                 ? fmt::format("tool {} {}", trace[told.tool], trace[told.tool_call])
                 : fmt::format("model {} {}+{}+{}:{} ${}", trace[told.model], tokens.input,
                               tokens.cache_read, tokens.cache_creation, tokens.output, told.cost);
    const int64_t began = span.start.time_since_epoch().count() / 1'000'000'000 - 1772355600;
    lines += fmt::format(" {} {}s", span.outcome == Outcome::error ? "failed" : "ok", began);
    if (span.duration != kNoDuration)
      lines += fmt::format("+{}ms", span.duration.count() / 1'000'000);
    lines += fmt::format(" in {}\n", trace[span.session]);
  }
  return lines;
}

}  // namespace

TEST_CASE("Claude Code's logs tell of its requests, with tokens, cost and session") {
  const Trace trace = read_log(claude(request_of_claude()));
  CHECK(told_by(trace) ==
        "model claude-opus-4-8 900+600+70:40 $250000000 ok 5s+4000ms in garden\n");
  CHECK(trace.calls.empty());
  CHECK(complaints_of(trace).empty());
}

TEST_CASE("also where a collector left the library out, the cache is beside the input") {
  const Trace trace = read_log(logs(request_of_claude(), ""));
  CHECK(told_by(trace) ==
        "model claude-opus-4-8 900+600+70:40 $250000000 ok 5s+4000ms in garden\n");
}

TEST_CASE("a request that Claude Code gave up failed, after as many attempts as it says") {
  const Trace trace = read_log(
      claude(record(9, "claude_code.api_error",
                    kSession + text("event.name", "api_error") + text("model", "claude-opus-4-8") +
                        text("error", "Overloaded") + text("status_code", "529") +
                        count("attempt", 11) + count("duration_ms", 3000))));
  CHECK(told_by(trace) == "model claude-opus-4-8 -1+-1+-1:-1 $-1 failed 6s+3000ms in garden\n");
  CHECK(trace[trace.gen_ai[0].error] == "http_529");
  CHECK(trace.gen_ai[0].retries == 10);
}

TEST_CASE("a tool of Claude Code failed where its log says that it had no success") {
  const Trace trace = read_log(claude(failed_tool_of_claude()));
  CHECK(told_by(trace) == "tool Bash toolu_fern failed 10s+2000ms in garden\n");
  CHECK(trace.gen_ai[0].tool_error == ToolError::timeout);
}

TEST_CASE("what logs and traces of Claude Code tell of one request or tool use is one span") {
  const std::string spans =
      R"({"traceId":"a1","spanId":"b1","name":"claude_code.llm_request",)"
      R"("startTimeUnixNano":"1772355605000000000","endTimeUnixNano":"1772355609000000000",)"
      R"("attributes":[)" +
      text("session.id", "garden") + text("span.type", "llm_request") +
      text("model", "claude-opus-4-8") + count("input_tokens", 900) + count("output_tokens", 40) +
      R"({"key":"request_id","value":{"stringValue":"req_rose"}}]},)"
      R"({"traceId":"a1","spanId":"b2","name":"claude_code.tool",)"
      R"("startTimeUnixNano":"1772355610000000000","endTimeUnixNano":"1772355612000000000",)"
      R"("attributes":[)" +
      text("session.id", "garden") + text("span.type", "tool") + text("tool_name", "Bash") +
      R"({"key":"gen_ai.tool.call.id","value":{"stringValue":"toolu_fern"}}]})";
  const std::string told = claude(request_of_claude() + "," + failed_tool_of_claude());
  const bool logs_first = GENERATE(false, true);
  const Trace trace = read_log(logs_first ? told + traces(spans) : traces(spans) + told);
  CHECK(told_by(trace) ==
        "model claude-opus-4-8 900+-1+-1:40 $250000000 ok 5s+4000ms in garden\n"
        "tool Bash toolu_fern failed 10s+2000ms in garden\n");
  CHECK(trace[trace.spans[0].id] == "b1");
}

TEST_CASE("a tool of Claude Code's traces has its name, and failed where its execution did") {
  const Trace trace = read_log(traces(
      R"({"traceId":"a1","spanId":"b1","name":"claude_code.tool","startTimeUnixNano":"5000",)"
      R"("endTimeUnixNano":"9000","attributes":[)" +
      text("span.type", "tool") +
      R"({"key":"tool_name","value":{"stringValue":"Bash"}}]},)"
      R"({"traceId":"a1","spanId":"b2","parentSpanId":"b1","name":"claude_code.tool.execution",)"
      R"("startTimeUnixNano":"6000","endTimeUnixNano":"8000","attributes":[)" +
      text("span.type", "tool.execution") + text("error", "Command timed out after 2m") +
      R"({"key":"success","value":{"boolValue":false}}]})"));
  REQUIRE(trace.spans.size() == 2);
  REQUIRE(trace.spans[0].gen_ai);
  const GenAi& tool = trace[trace.spans[0].gen_ai];
  CHECK(trace[tool.tool] == "Bash");
  CHECK(trace.spans[0].outcome == Outcome::error);
  CHECK(tool.tool_error == ToolError::timeout);
}

TEST_CASE("Codex tells of an answer when it is complete, and of each record twice") {
  const std::string session = text("conversation.id", "meadow");
  auto answer = [&](const std::string& kind, const std::string& more) {
    return record(9, "",
                  session + text("event.name", "codex.sse_event") + text("event.kind", kind) +
                      text("model", "gpt-5.2") + text("event.timestamp", "2026-03-01T09:00:09Z") +
                      text("duration_ms", "3") + more);
  };
  const std::string tokens = text("input_token_count", "900") + text("cached_token_count", "600") +
                             text("output_token_count", "40") +
                             text("reasoning_token_count", "10") + text("tool_token_count", "940");
  const std::string tool = record(12, "",
                                  session + text("event.name", "codex.tool_result") +
                                      text("tool_name", "shell") + text("call_id", "call_oak") +
                                      text("success", "true") + text("duration_ms", "2000"));
  const Trace trace =
      read_log(logs(answer("response.created", "") + "," + answer("response.completed", tokens) +
                        "," + answer("response.completed", tokens + text("user.email", "x")) + "," +
                        answer("response.completed", "") + "," + tool + "," + tool,
                    "codex_otel.log_only"));
  CHECK(told_by(trace) ==
        "model gpt-5.2 300+600+-1:40 $-1 ok 9s in meadow\n"
        "tool shell call_oak ok 10s+2000ms in meadow\n");
}

TEST_CASE("a request of Codex tells of a call only where it failed") {
  auto request = [](const std::string& status, const std::string& endpoint) {
    return record(9, "",
                  text("conversation.id", "meadow") + text("event.name", "codex.api_request") +
                      text("model", "gpt-5.2") + text("endpoint", endpoint) +
                      text("duration_ms", "1000") + text("http.response.status_code", status));
  };
  const Trace trace =
      read_log(logs(request("200", "/responses") + "," + request("429", "/responses") + "," +
                        request("503", "/models"),
                    "codex_cli_rs"));
  CHECK(told_by(trace) == "model gpt-5.2 -1+-1+-1:-1 $-1 failed 8s+1000ms in meadow\n");
}

TEST_CASE("Gemini CLI counts the cache in, and thoughts and what tools put in beside") {
  const Trace trace = read_log(
      logs(record(9, "gemini_cli.api_response",
                  text("session.id", "pond") + text("event.name", "gemini_cli.api_response") +
                      text("model", "gemini-3-pro") + count("input_token_count", 900) +
                      count("cached_content_token_count", 600) + count("output_token_count", 40) +
                      count("thoughts_token_count", 10) + count("tool_token_count", 5) +
                      count("total_token_count", 955) + count("duration_ms", 1000)) +
               "," +
               record(10, "gemini_cli.tool_call",
                      text("session.id", "pond") + text("event.name", "gemini_cli.tool_call") +
                          text("function_name", "read_file") + text("success", "true") +
                          count("duration_ms", 1000)),
           "gemini-cli"));
  CHECK(told_by(trace) ==
        "model gemini-3-pro 305+600+-1:50 $-1 ok 8s+1000ms in pond\n"
        "tool read_file  ok 9s+1000ms in pond\n");
}

TEST_CASE("a prompt is told by what follows it, and an event that nobody knows is named") {
  const Trace trace = read_log(
      claude(record(1, "claude_code.user_prompt", kSession + text("event.name", "user_prompt")) +
             "," + record(2, "claude_code.compaction", kSession) + "," + request_of_claude()));
  CHECK(trace.spans.size() == 1);
  CHECK(complaints_of(trace) ==
        "unknown_record 1: a Claude Code log record that is neither a model call nor a tool "
        "execution");
}

TEST_CASE("two requests alike to the last count are two where their times differ") {
  const std::string first = request_of_claude(9), later = request_of_claude(20);
  const std::string id = text("request_id", "req_rose");
  auto without_id = [&](std::string whole) {
    return whole.replace(whole.find("," + id.substr(0, id.size() - 1)), id.size(), "");
  };
  CHECK(read_log(claude(without_id(first) + "," + without_id(later))).spans.size() == 2);
  CHECK(read_log(claude(without_id(first) + "," + without_id(first))).spans.size() == 1);
}

}  // namespace xtrace
