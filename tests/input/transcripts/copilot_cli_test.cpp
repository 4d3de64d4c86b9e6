#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "link/graph/graph.h"
#include "reading.h"

using namespace xtrace;

namespace {

std::string event(const char* type, int second, const char* data) {
  constexpr int kMinute = 60;
  return fmt::format(
      R"({{"type":"{}","data":{},"id":"e{}","timestamp":"2026-01-01T10:{:02}:{:02}Z","parentId":null}})"
      "\n",
      type, data, second, second / kMinute, second % kMinute);
}

/// A session whose only prompt so far is answered.
std::string answered_once() {
  return event("session.start", 10, R"({"sessionId":"c","producer":"copilot-agent"})") +
         event("user.message", 11, R"({"content":"go"})") +
         event("assistant.message", 12, R"({"messageId":"m1","model":"large","content":"yes"})");
}

}  // namespace

TEST_CASE("what a user of Copilot CLI aborts is a call that failed only where one was owed") {
  const std::string asks = event("user.message", 13, R"({"content":"on"})");
  const std::string tools =
      event("assistant.message", 14,
            R"({"messageId":"m2","toolRequests":[{"toolCallId":"t1","name":"bash"},)"
            R"({"toolCallId":"t2","name":"bash"}]})");
  const std::string one = event("tool.execution_complete", 15,
                                R"({"toolCallId":"t1","success":true,"result":{"content":"a"}})");
  const std::string other = event("tool.execution_complete", 16,
                                  R"({"toolCallId":"t2","success":true,"result":{"content":"b"}})");
  const auto failed = [](const std::string& log) {
    size_t count = 0;
    const std::string abort = event("abort", 20, R"({"reason":"user_initiated"})");
    for (const Call& call : read_log(answered_once() + log + abort).calls)
      count += call.outcome == Outcome::error ? 1 : 0;
    return count;
  };
  CHECK(failed("") == 0);
  CHECK(failed(asks) == 1);
  CHECK(failed(asks + tools + one) == 0);
  CHECK(failed(asks + tools + one + other) == 1);
}

TEST_CASE("a failure in a stream of Copilot CLI names the model") {
  const Trace trace = read_log(
      answered_once() + event("model.call_failure", 15, R"({"model":"small","statusCode":503})"));
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace[trace.calls[1].model] == "small");
}

TEST_CASE("a subagent of Copilot CLI that failed is a tool that failed, whatever it gave") {
  const auto fails = [](const char* type) {
    const Trace trace =
        read_log(answered_once() + event("user.message", 13, R"({"content":"on"})") +
                 event("assistant.message", 14,
                       R"({"messageId":"m2","toolRequests":[{"toolCallId":"t1","name":"task"}]})") +
                 event(type, 15, R"({"toolCallId":"t1","agentName":"explore","error":"max"})") +
                 event("tool.execution_complete", 16,
                       R"({"toolCallId":"t1","success":true,"result":{"content":"a"}})"));
    REQUIRE_FALSE(trace.tool_results.empty());
    return trace.tool_results.back().is_error;
  };
  CHECK(fails("subagent.failed"));
  CHECK_FALSE(fails("subagent.completed"));
}

TEST_CASE("a command of Copilot CLI that ended badly is a tool that failed") {
  const auto fails = [](const std::string& told) {
    const std::string result =
        R"({"toolCallId":"t1","success":true,"result":{"content":"a"},)" + told + "}";
    const Trace trace =
        read_log(answered_once() + event("user.message", 13, R"({"content":"on"})") +
                 event("assistant.message", 14,
                       R"({"messageId":"m2","toolRequests":[{"toolCallId":"t1","name":"bash"}]})") +
                 event("tool.execution_complete", 15, result.c_str()));
    REQUIRE_FALSE(trace.tool_results.empty());
    return trace.tool_results.back().is_error;
  };
  CHECK(fails(R"("toolTelemetry":{"metrics":{"exit_code":1}})"));
  CHECK(fails(R"("shellExecution":{"exitCode":1})"));
  CHECK(fails(R"("shellExecution":{"exitCode":-1})"));
  CHECK_FALSE(fails(R"("shellExecution":{"exitCode":0})"));
  CHECK_FALSE(fails(R"("shellExecution":{"exitCode":null})"));
  CHECK_FALSE(fails(R"("shellExecution":{})"));
}

TEST_CASE("tools of Copilot CLI that run when the user aborts are cancelled") {
  std::string log = answered_once() + event("user.message", 13, R"({"content":"on"})") +
                    event("assistant.message", 14,
                          R"({"messageId":"m2","toolRequests":[{"toolCallId":"t1","name":"bash"},)"
                          R"({"toolCallId":"t2","name":"bash"}]})") +
                    event("tool.execution_complete", 15,
                          R"({"toolCallId":"t1","success":true,"result":{"content":"a"}})") +
                    event("abort", 20, R"({"reason":"user_initiated"})");
  if (GENERATE(false, true))
    log += event("user.message", 21, R"({"content":"well"})") +
           event("assistant.message", 22, R"({"messageId":"m3","content":"yes"})");
  const Graph graph = link(read_log(log), {});
  std::string tools;
  for (const Activity& done : graph.activities().all)
    if (done.use != nullptr)
      tools += fmt::format("{} {};", word(done.outcome), word(done.tool_error));
  CHECK(tools == "ok ;error cancelled;");
}

TEST_CASE("tools of Copilot CLI that give back behind an abort ask for nothing") {
  const std::string log =
      answered_once() + event("user.message", 13, R"({"content":"on"})") +
      event("assistant.message", 14,
            R"({"messageId":"m2","toolRequests":[{"toolCallId":"t1","name":"bash"}]})") +
      event("abort", 15, R"({"reason":"user_initiated"})") +
      event("tool.execution_complete", 16,
            R"({"toolCallId":"t1","success":true,"result":{"content":"a"}})") +
      event("abort", 17, R"({"reason":"user_initiated"})");
  CHECK(read_log(log).calls.size() == 2);
  const std::string asked = event("user.message", 18, R"({"content":"well"})") +
                            event("abort", 19, R"({"reason":"user_initiated"})");
  const Trace trace = read_log(log + asked);
  REQUIRE(trace.calls.size() == 3);
  CHECK(trace.calls[2].outcome == Outcome::error);
}

TEST_CASE("the answer behind hundreds of failed attempts is asked with all that they were") {
  std::string log = answered_once();
  constexpr int kAttempts = 200;
  for (int i = 0; i < kAttempts; ++i)
    log += event("user.message", 100 + i, fmt::format(R"({{"content":"{}"}})", i).c_str()) +
           event("session.error", 500 + i, R"({"errorType":"query","message":"no"})");
  log += event("assistant.message", 900, R"({"messageId":"m2","content":"at last"})");
  const Trace trace = read_log(log);
  REQUIRE(trace.calls.size() == 2 + kAttempts);
  CHECK(trace.calls[100].message_count == 102);
  CHECK(trace.calls.back().message_count == 2 + kAttempts);
}

TEST_CASE("what Copilot CLI sums up is read there, and what goes on from that begins afterwards") {
  const bool fails = GENERATE(false, true);
  const Graph graph = link(
      read_log(event("session.start", 10, R"({"sessionId":"c","producer":"copilot-agent"})") +
               event("user.message", 11, R"({"content":"go"})") +
               event("assistant.message", 12,
                     R"({"messageId":"m1","toolRequests":[{"toolCallId":"t1","name":"bash"}]})") +
               event("tool.execution_complete", 15,
                     R"({"toolCallId":"t1","success":true,"result":{"content":"a"}})") +
               (fails ? event("session.error", 16, R"({"errorType":"rate_limit"})") : "") +
               event("session.compaction_complete", 19,
                     R"({"success":true,"summaryContent":"sum","compactionTokensUsed":)"
                     R"({"inputTokens":900,"outputTokens":50,"duration":2500}})") +
               event("assistant.message", 22, R"({"messageId":"m2","content":"done"})")),
      {});
  const Trace& trace = graph.trace();
  const Call& last = trace.calls.back();
  CHECK(trace[last.id] == "m2");
  CHECK(last.is_compacted);
  CHECK(last.duration == std::chrono::seconds(3));
  for (const Link& link : graph.links()) {
    if (link.kind == LinkKind::tool_result) CHECK(trace[trace[link.to].id] != "m2");
    CHECK(link.gap >= Duration{0});
  }
  const bool is_read =
      std::any_of(graph.links().begin(), graph.links().end(),
                  [](const Link& link) { return link.kind == LinkKind::tool_result; });
  CHECK(is_read);
}
