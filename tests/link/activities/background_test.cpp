#include <catch2/catch.hpp>

#include "link/activities/time_account.h"
#include "link/graph/graph.h"
#include "link/graph/queries.h"
#include "reading.h"
#include "transcript.h"

using namespace xtrace;

namespace {

std::string notice(const std::string& names, const std::string& status,
                   const std::string& summary) {
  return "<task-notification>\\n" + names + "<status>" + status + "</status>\\n<summary>" +
         summary + "</summary>\\n</task-notification>";
}
const std::string kBoth = "<task-id>b1</task-id>\\n<tool-use-id>t1</tool-use-id>\\n";

std::string output(const std::string& text) {
  return R"("message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":")" +
         text + "\"}]}";
}

/// A command that goes on in the background, and the model that says so.
Transcript in_background(
    const std::string& result = "Command running in background with ID: b1. Output: /t/b1") {
  Transcript session;
  session.user("u1", "go").answer("a1", "m1", uses("t1", "Bash", R"({"command":"make"})"));
  session.at(3).line("r1", "user", output(result));
  session.at(5).answer("a2", "m2", says("it runs"));
  return session;
}

/// How the tools fared, by use.
std::string outcomes(const std::string& log) {
  const Graph graph = link(read_log(log), {});
  std::string told;
  for (const Activity& one : graph.activities().all)
    if (one.use != nullptr)
      told += std::string(graph.trace()[one.use->id]) + " " + std::string(word(one.outcome)) +
              (one.tool_error == ToolError::none ? "" : " " + std::string(word(one.tool_error))) +
              ", ";
  return told;
}

int64_t seconds_of(const Graph& graph, PathPart part) {
  const std::vector<uint32_t> none;
  const TimeAccount time = account_for_time(graph, {[](CallId) { return true; }, none});
  return time.parts[static_cast<size_t>(part)] / std::chrono::seconds(1);
}

}  // namespace

TEST_CASE("a command in the background has the outcome that its notice states") {
  const auto told = [](const std::string& status, const std::string& summary) {
    Transcript session = in_background();
    session.at(60).user("u2", notice(kBoth, status, summary)).answer("a3", "m3", says("so"));
    return outcomes(session.text());
  };
  CHECK(told("failed", R"(Background command \"make\" failed with exit code 2)") ==
        "t1 error execution, ");
  CHECK(told("completed", R"(Background command \"make\" completed (exit code 0))") == "t1 ok, ");
  CHECK(told("completed", R"(Background command \"make\" completed (exit code 3))") ==
        "t1 error execution, ");
  CHECK(told("completed", R"(Background command \"echo exit code 7\" completed (exit code 0))") ==
        "t1 ok, ");
  CHECK(told("killed", R"(Background command \"make\" was stopped)") == "t1 error cancelled, ");
  CHECK(told("running", R"(Background command \"make\" goes on)") == "t1 unfinished, ");
}

TEST_CASE("without a notice nobody knows how a command in the background ended") {
  CHECK(outcomes(in_background().text()) == "t1 unfinished, ");
  CHECK(outcomes(in_background("Command did not complete within its 120s timeout and was moved to "
                               "the background with ID: b1. Output: /t/b1")
                     .text()) == "t1 unfinished, ");
  CHECK(outcomes(in_background("made").text()) == "t1 ok, ");
}

TEST_CASE("a notice that names the task alone is that of its session") {
  const std::string by_task = "<task-id>b1</task-id>\\n";
  Transcript session = in_background(), other("S2");
  session.at(60).user("u2", notice(by_task, "failed", "failed with exit code 2"));
  session.answer("a3", "m3", says("so"));
  other.user("v1", "go").answer("c1", "n1", uses("t2", "Bash"));
  other.at(3).line(
      "q1", "user",
      R"("message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t2",)"
      R"("content":"Command running in background with ID: b1. Output: x"}]})");
  other.at(5).answer("c2", "n2", says("it runs"));
  const std::string both = session.text() + other.text();
  CHECK(outcomes(both).find("t1 error execution") != std::string::npos);
  CHECK(outcomes(both).find("t2 unfinished") != std::string::npos);
}

TEST_CASE("a notice that was never told to the model counts as well, whatever its place") {
  Transcript session = in_background();
  session.raw(
      R"({"type":"queue-operation","operation":"enqueue","timestamp":"2026-02-01T10:05:00Z",)"
      R"("sessionId":"S1","content":")" +
      notice(kBoth, "failed", "failed with exit code 2") + "\"}");
  CHECK(outcomes(session.text()) == "t1 error execution, ");
}

TEST_CASE("several commands in the background have an end each") {
  Transcript session;
  session.user("u1", "go").answer("a1", "m1", uses("t1", "Bash") + "," + uses("t2", "Bash"));
  const auto started = [&](const char* line, const std::string& use, const std::string& task) {
    session.line(line, "user",
                 R"("message":{"role":"user","content":[{"type":"tool_result","tool_use_id":")" +
                     use + R"(","content":"Command running in background with ID: )" + task +
                     R"(."}]})");
  };
  started("r1", "t1", "b1");
  started("r2", "t2", "b2");
  session.answer("a2", "m2", says("both run"));
  session.at(40).user("u2", notice("<task-id>b2</task-id>\\n", "completed", "(exit code 0)") +
                                "\\n" +
                                notice("<task-id>b1</task-id>\\n", "failed", "exit code 1"));
  session.answer("a3", "m3", says("so"));
  CHECK(outcomes(session.text()) == "t1 error execution, t2 ok, ");
}

TEST_CASE("a tool that asks for the output of a command states its end") {
  Transcript session = in_background();
  session.at(9).answer("a3", "m3", uses("t9", "TaskOutput", R"({"task_id":"b1"})"));
  session.at(40).line(
      "r9", "user",
      R"("message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t9","content":)"
      R"("<retrieval_status>success</retrieval_status>\n<task_id>b1</task_id>\n)"
      R"(<task_type>local_bash</task_type>\n<status>completed</status>\n<exit_code>2</exit_code>\n)"
      R"(<output>x</output>"}]})");
  session.answer("a4", "m4", says("so"));
  CHECK(outcomes(session.text()) == "t1 error execution, t9 ok, ");
}

TEST_CASE(
    "the wait for a notice is its own, and the notice begins no turn, with or without origin") {
  const std::string origin = GENERATE("", R"("origin":{"kind":"task-notification"})");
  Transcript session = in_background();
  session.with(origin).at(65).user("u2", notice(kBoth, "completed", "(exit code 0)"));
  session.at(67).answer("a3", "m3", says("so"));
  const Graph graph = link(read_log(session.text()), {});
  CHECK(seconds_of(graph, PathPart::background) == 60);
  CHECK(seconds_of(graph, PathPart::person) == 0);
  CHECK(seconds_of(graph, PathPart::unexplained) == 0);
  CHECK(find_turns(graph).size() == 1);
  CHECK(graph.call_turns().back().number == 1);
}

TEST_CASE("who speaks up while something goes on in the background was waited for") {
  Transcript session = in_background();
  session.at(65).user("u2", "and now?").at(67).answer("a3", "m3", says("it runs"));
  const Graph graph = link(read_log(session.text()), {});
  CHECK(seconds_of(graph, PathPart::person) == 60);
  CHECK(seconds_of(graph, PathPart::background) == 0);
}

TEST_CASE("a log of requests states the end of a command in the background too") {
  const auto call = [](const std::string& id, int at, const std::string& messages,
                       const std::string& answer) {
    return R"({"id":")" + id + R"(","timestamp":"2026-02-01T10:00:)" + std::to_string(at) +
           R"(Z","duration_ms":1000,"request":{"model":"m","messages":[)" + messages +
           R"(]},"response":{"id":"r)" + id +
           R"(","type":"message","role":"assistant","model":"m","content":[)" + answer +
           R"(],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}}})" + "\n";
  };
  const std::string go = R"({"role":"user","content":"go"})";
  const std::string use = R"({"type":"tool_use","id":"t1","name":"Bash","input":{}})";
  const std::string started =
      R"(,{"role":"assistant","content":[)" + use + "]}," +
      R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":)" +
      R"("Command running in background with ID: b1."}]})";
  const std::string runs = R"({"type":"text","text":"it runs"})";
  const std::string ended =
      R"(,{"role":"assistant","content":"it runs"},{"role":"user","content":")" +
      notice(kBoth, "failed", "exit code 2") + "\"}";
  const std::string log = call("c1", 10, go, use) + call("c2", 12, go + started, runs) +
                          call("c3", 50, go + started + ended, R"({"type":"text","text":"so"})");
  CHECK(outcomes(log) == "t1 error execution, ");
  const Graph graph = link(read_log(log), {});
  CHECK(seconds_of(graph, PathPart::background) == 37);
  CHECK(graph.call_turns().back().number == 1);
}

TEST_CASE("Copilot: a command that was still running has the outcome of its notice") {
  const auto line = [](int n, int at, const std::string& type, const std::string& data) {
    return R"({"type":")" + type + R"(","data":{)" + data + R"(},"id":"e)" + std::to_string(n) +
           R"(","timestamp":"2026-02-01T10:00:)" + (at < 10 ? "0" : "") + std::to_string(at) +
           R"(Z","parentId":")" + (n == 0 ? "" : "e" + std::to_string(n - 1)) + "\"}\n";
  };
  const std::string log =
      line(0, 0, "session.start", R"("sessionId":"S1","selectedModel":"gpt-5.5")") +
      line(1, 1, "user.message", R"("content":"go")") +
      line(2, 3, "assistant.message",
           R"("messageId":"m1","content":"","outputTokens":5,)"
           R"("toolRequests":[{"toolCallId":"t1","name":"bash","arguments":{}}])") +
      line(3, 33, "tool.execution_complete",
           R"("toolCallId":"t1","success":true,"result":{"content":)"
           R"("<command with shellId: 4 is still running after 30 seconds.>"})") +
      line(4, 35, "assistant.message", R"("messageId":"m2","content":"it runs","outputTokens":5)") +
      line(5, 50, "system.notification",
           R"("content":"done","kind":{"type":"shell_completed","shellId":"4","exitCode":1})") +
      line(6, 52, "assistant.message", R"("messageId":"m3","content":"so","outputTokens":5)");
  CHECK(outcomes(log) == "t1 error execution, ");
  CHECK(seconds_of(link(read_log(log), {}), PathPart::background) == 15);
}
