#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "link/graph/graph.h"
#include "reading.h"

using namespace xtrace;

namespace {

std::string event(const char* type, int second, const char* data) {
  return fmt::format(
      R"({{"type":"{}","data":{},"id":"e{}","timestamp":"2026-01-01T10:00:{}Z","parentId":null}})"
      "\n",
      type, data, second, second);
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
