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

TEST_CASE("the prompts that Gemini CLI remembers are no session of another tool") {
  const Trace trace = read_log(
      R"([{"sessionId":"a","messageId":0,"timestamp":"2026-03-01T09:00:05Z","type":"user","message":"dig"}])");
  CHECK(trace.calls.empty());
  REQUIRE(trace.complaints.size() == 1);
  CHECK(trace.complaints[0].what.find("Gemini CLI remembers") != std::string::npos);
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
