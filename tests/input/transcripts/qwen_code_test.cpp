#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "link/activities/activities.h"
#include "link/graph/graph.h"
#include "reading.h"
#include "reread.h"

using namespace xtrace;

TEST_CASE("chats of Qwen Code are read with their tools, tokens and links") {
  Folder folder;
  Progress progress;
  const Graph graph = link(
      load({folder.write("log.jsonl", project_file("fixtures/agents/qwen.jsonl"))}, {}, progress)
          .value(),
      {});
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace[trace.calls[0].model] == "qwen3-coder-plus");
  CHECK(trace.calls[0].tokens.input == 150);
  CHECK(trace.calls[0].tokens.cache_read == 50);
  CHECK(trace.calls[1].tokens.output == 14);
  CHECK(std::any_of(graph.links().begin(), graph.links().end(),
                    [](const Link& link) { return link.rule == Rule::tool_use_id; }));
  CHECK(graph.activities().tools_of(graph.timeline().in_order()[0])[0].outcome == Outcome::error);
  Excerpts excerpts(trace);
  CHECK(excerpts.of(trace.calls[0]).prompt == "dig");
  CHECK(excerpts.of(trace.calls[1]).answer == "I need a spade.");
}

TEST_CASE("the prompts that Gemini CLI's prompt history are no session of another tool") {
  const Trace trace = read_log(
      R"([{"sessionId":"a","messageId":0,"timestamp":"2026-03-01T09:00:05Z","type":"user","message":"dig"}])");
  CHECK(trace.calls.empty());
  REQUIRE(trace.complaints.size() == 1);
  CHECK(trace.complaints[0].what.find("Gemini CLI's prompt history") != std::string::npos);
}

TEST_CASE("a history that Qwen Code compressed stands for what was said before") {
  const auto chat = [](int status) {
    const auto line = [](const char* uuid, const char* after, int second, const std::string& more) {
      return fmt::format(R"({{"uuid":"{}","parentUuid":{},"sessionId":"s","timestamp":)"
                         R"("2026-03-01T10:00:{}Z",{}}})"
                         "\n",
                         uuid, after, second, more);
    };
    return line("u1", "null", 10,
                R"("type":"user","message":{"role":"user","parts":[{"text":"go"}]})") +
           line("a1", "\"u1\"", 15,
                R"("type":"assistant","message":{"role":"model","parts":[{"text":"done"}]})") +
           line("c1", "\"a1\"", 20,
                fmt::format(
                    R"("type":"system","subtype":"chat_compression","systemPayload":{{"info":)"
                    R"({{"compressionStatus":{}}},"compressedHistory":[{{"role":"user",)"
                    R"("parts":[{{"text":"they dug"}}]}},{{"role":"model","parts":[{{"text":)"
                    R"("Got it."}}]}}]}})",
                    status)) +
           line("u2", "\"c1\"", 25,
                R"("type":"user","message":{"role":"user","parts":[{"text":"on"}]})") +
           line("a2", "\"u2\"", 30,
                R"("type":"assistant","message":{"role":"model","parts":[{"text":"ok"}]})");
  };
  const Trace trace = read_log(chat(1));
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace.calls[1].is_compacted);
  CHECK(trace.calls[1].message_count == 2);
  const Trace failed = read_log(chat(2));
  REQUIRE(failed.calls.size() == 2);
  CHECK(!failed.calls[1].is_compacted);
  CHECK(failed.calls[1].message_count == 3);
}

namespace {

std::string qwen_line(const std::string& fields) {
  return R"({"sessionId":"s","cwd":"/p",)" + fields + "}\n";
}

std::string api_response(const char* id, const char* prompt) {
  return qwen_line(fmt::format(
      R"("uuid":"{0}","parentUuid":"2","timestamp":"2026-09-21T14:13:30.000Z","type":"system",)"
      R"("subtype":"ui_telemetry","systemPayload":{{"uiEvent":{{"event.name":)"
      R"("qwen-code.api_response","response_id":"{0}","model":"m","duration_ms":1000,)"
      R"("input_token_count":700,"output_token_count":30,"cached_content_token_count":100,)"
      R"("thoughts_token_count":0,"total_token_count":730,"prompt_id":"{1}"}}}})",
      id, prompt));
}

const std::string kChat =
    qwen_line(
        R"("uuid":"1","parentUuid":null,"timestamp":"2026-09-21T14:13:20.000Z","type":"user",)"
        R"("message":{"role":"user","parts":[{"text":"dig"}]})") +
    qwen_line(
        R"("uuid":"2","parentUuid":"1","timestamp":"2026-09-21T14:13:25.000Z","type":"assistant",)"
        R"("model":"m","message":{"role":"model","parts":[{"functionCall":{"id":"c1","name":"task",)"
        R"("args":{"prompt":"look","subagent_type":"explore"}}}]},)"
        R"("usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":2})");

}  // namespace

TEST_CASE("calls of Qwen Code's subagents are told by its statistics, its own ones are not") {
  const Graph graph = link(
      read_log(kChat + api_response("r1", "s########1") + api_response("r2", "s#explore-a1b2c3#0") +
               api_response("r3", "s#explore-a1b2c3#1")),
      {});
  const Trace& trace = graph.trace();
  CHECK(std::any_of(graph.links().begin(), graph.links().end(), [&](const Link& link) {
    return link.kind == LinkKind::subagent_spawn && link.rule == Rule::type_and_time &&
           trace[trace[link.to].id] == "r2";
  }));
  REQUIRE(trace.calls.size() == 3);
  for (const char* id : {"r2", "r3"}) {
    const auto call = std::find_if(trace.calls.begin(), trace.calls.end(),
                                   [&](const Call& each) { return trace[each.id] == id; });
    REQUIRE(call != trace.calls.end());
    CHECK(call->in_subagent);
    CHECK(trace[call->session] == "s");
    CHECK(trace[call->agent_type] == "explore");
    CHECK(call->duration == std::chrono::seconds(1));
    CHECK(call->tokens == Tokens{.input = 600, .output = 30, .cache_read = 100});
  }
}

TEST_CASE("a transcript of a subagent of Qwen Code tells its calls in place of the statistics") {
  const std::string of_agent =
      R"("isSidechain":true,"agentId":"explore-c1","agentName":"explore",)";
  Folder folder;
  folder.write("chats/s.jsonl", kChat + api_response("r2", "s#explore-a1b2c3#0"));
  folder.write(
      "subagents/s/agent-explore-c1.jsonl",
      qwen_line(of_agent + R"("uuid":"a","parentUuid":null,"timestamp":"2026-09-21T14:13:28.000Z",)"
                           R"("type":"user","message":{"role":"user","parts":[{"text":"look"}]})") +
          qwen_line(of_agent +
                    R"("uuid":"b","parentUuid":"a","timestamp":"2026-09-21T14:13:30.000Z",)"
                    R"("type":"assistant","message":{"role":"model","parts":[{"text":"found"}]},)"
                    R"("usageMetadata":{"promptTokenCount":700,"candidatesTokenCount":30})"));
  Progress progress;
  const Trace trace = load({folder.path()}, {}, progress).value();
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace.calls[1].in_subagent);
  CHECK(trace[trace.calls[1].agent] == "explore-c1");
  CHECK(trace[trace.calls[1].session] == "s");
}

TEST_CASE("what a session used up by its usage record counts once, by model") {
  const auto record = [](const char* time, int input) {
    return R"({"version":1,"sessionId":"s","startTime":1788253000000,"timestamp":)" +
           std::string(time) + R"(,"project":"/p","models":{"m":{"requests":2,"inputTokens":)" +
           std::to_string(input) +
           R"(,"outputTokens":300,"cachedTokens":15000,"thoughtsTokens":0}}})" + "\n";
  };
  const Trace trace = read_log(record("1788253300000", 20000) + record("1788253400000", 21000));
  CHECK(trace.calls.empty());
  std::vector<Tokens> counted;
  for (const UsageStatement& row : trace.usage_statements)
    if (row.counts()) {
      CHECK(trace[row.model] == "m");
      CHECK(trace[row.session] == "s");
      CHECK(row.calls == 2);
      counted.push_back(row.tokens);
    }
  REQUIRE(counted.size() == 1);
  CHECK(counted[0] == Tokens{.input = 6000, .output = 300, .cache_read = 15000});
}
