#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <functional>
#include <sstream>

#include "hop_story.h"
#include "reading.h"
#include "render/renderer.h"
#include "transcript.h"
#include "view/common/view.h"
#include "whole_trace.h"

using namespace xtrace;

namespace {

/// A log of one format, long enough for many pieces.
struct Log {
  std::string format, text;
};

constexpr int kTurns = 40;

/// One envelope a line: an agent that asks a model, uses a tool that fails now and then, and log
/// records that record the spans.
std::string otlp() {
  std::string text;
  for (int i = 0; i < kTurns; ++i) {
    auto span = [&](int id, int parent, std::string_view name, int64_t start, int64_t end,
                    std::string_view attributes, int status) {
      return fmt::format(
          R"({{"traceId":"{:032x}","spanId":"{:016x}","parentSpanId":"{}","name":"{}",)"
          R"("startTimeUnixNano":"{}","endTimeUnixNano":"{}","attributes":[{}],)"
          R"("status":{{"code":{}}}}})",
          i + 1, i * 16 + id, parent == 0 ? "" : fmt::format("{:016x}", i * 16 + parent), name,
          1790000000000000000 + i * 5000000000 + start, 1790000000000000000 + i * 5000000000 + end,
          attributes, status);
    };
    auto tag = [](std::string_view key, std::string_view value) {
      return fmt::format(R"({{"key":"{}","value":{{"stringValue":"{}"}}}})", key, value);
    };
    std::string agent = tag("gen_ai.operation.name", "invoke_agent") + "," +
                        tag("gen_ai.agent.name", fmt::format("agent-{}", i % 3)) + "," +
                        tag("gen_ai.conversation.id", fmt::format("c{}", i / 4));
    std::string chat =
        tag("gen_ai.operation.name", "chat") + "," + tag("gen_ai.request.model", "oak-large") +
        fmt::format(R"(,{{"key":"gen_ai.usage.input_tokens","value":{{"intValue":"{}"}}}})",
                    400 + i);
    std::string tool = tag("gen_ai.operation.name", "execute_tool") + "," +
                       tag("gen_ai.tool.name", "search") + "," +
                       tag("gen_ai.tool.call.id", fmt::format("call_{}", i));
    text += fmt::format(
        R"({{"resourceSpans":[{{"resource":{{"attributes":[{}]}},"scopeSpans":[{{"spans":[{},{},{}]}}]}}]}})"
        "\n",
        tag("service.name", "desk"), span(1, 0, "invoke_agent", 0, 4000000, agent, 0),
        span(2, 1, "chat", 1000, 900000, chat, 0),
        span(3, 1, "execute_tool", 1000000, 3000000, tool, i % 5 == 0 ? 2 : 1));
    text += fmt::format(
        R"({{"resourceLogs":[{{"resource":{{"attributes":[{}]}},"scopeLogs":[{{"logRecords":[)"
        R"({{"traceId":"{:032x}","spanId":"{:016x}","timeUnixNano":"{}","body":{{"stringValue":"slow"}}}}]}}]}}]}})"
        "\n",
        tag("service.name", "desk"), i + 1, i * 16 + 2, 1790000000000500000 + i * 5000000000);
  }
  return text;
}

/// One document, as sidecars report calls between actors.
std::string jaeger() {
  HopStory story;
  for (int i = 0; i < kTurns; ++i) {
    std::string run = fmt::format("r{}", i / 8);
    double start = i * 1000;
    story.hop(fmt::format("a{}", i), "user:u", "agent:chat", start, 900, run)
        .hop(fmt::format("b{}", i), "agent:chat", "agent:search", start + 10, 500, run)
        .outbound(fmt::format("c{}", i), "agent:search", "resource:index", start + 20, 100, run);
  }
  return story.json();
}

std::string flat_spans() {
  std::string text = "[";
  for (int64_t i = 0; i < kTurns; ++i)
    text += fmt::format(
        R"({}{{"name":"execute_tool look","span_id":"{:016x}","trace_id":"{:032x}",)"
        R"("parent_span_id":{},"start_time":{},"end_time":{},"duration_ns":1000000,)"
        R"("attributes":{{"gen_ai.tool.name":"look","gen_ai.agent.name":"clerk"}},"links":[],)"
        R"("status":"{}"}})",
        i == 0 ? "" : ",\n", i + 1, i / 4 + 1, i % 4 == 0 ? "null" : fmt::format("\"{:016x}\"", i),
        1790000000000000000 + i * 2000000, 1790000000001000000 + i * 2000000,
        i % 7 == 3 ? "ERROR" : "OK");
  return text + "]\n";
}

/// Turns with a tool each, now and then a subagent, and an answer in two pieces.
std::string claude_code() {
  Transcript log;
  for (int i = 0; i < kTurns; ++i) {
    auto id = [&](std::string_view what) { return fmt::format("{}{}", what, i); };
    log.user(id("u"), fmt::format("What about {}?", i));
    log.answer(id("a"), id("m"), thinks(), 1).answer(id("b"), id("m"), uses(id("t"), "Read"), 7);
    log.result(id("r"), id("t"));
    if (i % 4 == 1) {
      log.answer(id("s"), id("n"), spawns(id("x"), "Explore", id("look ")), 9);
      log.result(id("y"), id("x"));
    }
    log.answer(id("z"), id("o"), says("It is well."), 3);
  }
  return log.text();
}

/// Turns of a rollout: a command, what it put out, and what the answers used up.
std::string codex() {
  std::string text;
  auto line = [&](int second, std::string_view type, const std::string& payload) {
    text +=
        fmt::format(R"({{"timestamp":"2026-04-02T08:{:02}:{:02}.000Z","type":"{}","payload":{}}})"
                    "\n",
                    second / 60, second % 60, type, payload);
  };
  line(0, "session_meta",
       R"({"id":"rollout-1","timestamp":"2026-04-02T08:00:00.000Z","cwd":"/x","originator":)"
       R"("codex_cli_rs","cli_version":"0.98.0","source":"cli"})");
  line(0, "turn_context", R"({"cwd":"/x","model":"gpt-5.3-codex","effort":"medium"})");
  for (int i = 0; i < kTurns; ++i) {
    int at = 1 + i * 10;
    line(
        at, "response_item",
        fmt::format(
            R"({{"type":"message","role":"user","content":[{{"type":"input_text","text":"And {}?"}}]}})",
            i));
    line(at + 2, "response_item",
         fmt::format(
             R"({{"type":"function_call","name":"shell","arguments":"{{}}","call_id":"call_{}"}})",
             i));
    line(
        at + 3, "response_item",
        fmt::format(
            R"({{"type":"function_call_output","call_id":"call_{}","output":"Exit code: {}\nOutput:\nx"}})",
            i, i % 6 == 5 ? 1 : 0));
    line(
        at + 5, "response_item",
        R"({"type":"message","role":"assistant","content":[{"type":"output_text","text":"Done."}]})");
    std::string used = fmt::format(
        R"({{"input_tokens":{},"cached_input_tokens":100,"output_tokens":20,"reasoning_output_tokens":0,"total_tokens":{}}})",
        300 + i, 320 + i);
    line(
        at + 5, "event_msg",
        fmt::format(
            R"({{"type":"token_count","info":{{"total_token_usage":{0},"last_token_usage":{0}}}}})",
            used));
  }
  return text;
}

/// Steps of queries with what they rest on, which events of a task are between.
std::string steps() {
  std::string text;
  for (int i = 0; i < kTurns; ++i)
    text += fmt::format(
        R"({{"queryId":"Q-{}","traceId":"{:032x}","projectId":"handbook","stepId":"s{}",)"
        R"("timestamp":"2024-09-01T09:{:02}:02.000Z","node":"Search","status":"{}",)"
        R"("params":{{"k":8}},"metrics":{{"latency_ms":35,"tokens_in":30,"tokens_out":5}}}})"
        "\n",
        i / 4, i / 4 + 1, i, i % 60, i % 9 == 8 ? "error" : "ok");
  return text;
}

std::string events() {
  std::string text;
  for (int i = 0; i < kTurns; ++i)
    text += fmt::format(R"({{"id":"evt-{}","type":"{}","timestamp":"2025-06-20T14:{:02}:49.300Z",)"
                        R"("taskId":"T{}","agent":"ReflexionAdapter","triggeredBy":{},)"
                        R"("attempt":{},"reason":"TESTS_FAILED"}})"
                        "\n",
                        i, i % 2 == 0 ? "ModelSwitched" : "TaskRetryInitiated", i % 60, i / 10,
                        i == 0 ? "null" : fmt::format("\"evt-{}\"", i - 1), i);
  return text;
}

std::vector<Log> logs() {
  return {{"otlp", otlp()},
          {"jaeger", jaeger()},
          {"flat-spans", flat_spans()},
          {"claude-code", claude_code()},
          {"codex", codex()},
          {"step-events", steps()},
          {"", events()}};
}

/// The JSON of every view that needs nothing but a log.
std::string answers(const Graph& graph) {
  std::string text;
  for (const ViewEntry& entry : views()) {
    if (entry.takes_suite || entry.compares || entry.is_live || entry.converts) continue;
    Door door(Redaction::all, Door::Level::basic, 200);
    Result<Document> document = entry.make()->answer({graph, door, Face::tables});
    if (!document) {  // as of what asks for a name
      text += document.error().what + '\n';
      continue;
    }
    std::ostringstream out;
    write_json(*document, Paper{}, out);
    text += out.str();
  }
  return text;
}

}  // namespace

TEST_CASE("spans and transcripts are read alike by any number of threads, in pieces of any size") {
  for (const Log& log : logs()) {
    CAPTURE(log.format);
    Folder folder;
    std::string path = folder.write("log.json", log.text);
    Progress progress;
    LoadOptions plain;
    plain.keep_arguments = plain.keep_message_texts = true;
    Trace first = load({path}, plain, progress).value();
    REQUIRE((log.format.empty() || first.sources.front().format == log.format));
    REQUIRE(first.spans.size() + first.calls.size() + first.task_steps.size() >= kTurns);
    REQUIRE(first.sources.front().skipped == 0);
    std::string wanted = words_of(first);
    std::string answered = answers(link(std::move(first), {}));
    for (unsigned jobs : {1u, 2u, 8u})
      for (uint64_t piece : {uint64_t{1} << 9, uint64_t{3} << 10, uint64_t{0}}) {
        CAPTURE(jobs, piece);
        LoadOptions loading = plain;
        loading.jobs = jobs;
        loading.piece_bytes = piece;
        Trace trace = load({path}, loading, progress).value();
        CHECK((words_of(trace) == wanted));
        LinkOptions linking;
        linking.jobs = jobs;
        std::string found = answers(link(std::move(trace), linking));
        CHECK((found == answered));
      }
  }
}
