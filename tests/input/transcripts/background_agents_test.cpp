#include <algorithm>
#include <catch2/catch.hpp>

#include "input/calls/task_notification.h"
#include "input/transcripts/claude_code_parts.h"
#include "link/graph/graph.h"
#include "reading.h"
#include "transcript.h"

using namespace xtrace;

namespace {

const std::string kNotice =
    "<task-notification>\\n<task-id>ab1</task-id>\\n<status>completed</status>\\n"
    "<result>it <result> is</result></result>\\n</task-notification>";

/// A subagent in the background, which ends after its tool use was answered for.
Transcript with_background_agent() {
  Transcript session;
  session.user("u1", "go").answer("a1", "m1", spawns("t1", "Explore", "look"));
  session.at(3).result("r1", "t1",
                       R"("toolUseResult":{"status":"async_launched","agentId":"ab1"})");
  session.at(20).answer("a2", "m2", says("it works"));
  return session;
}

std::string reports_in(const Transcript& session) {
  const Graph graph = link(read_log(session.text()), {});
  std::string found;
  for (const Link& link : graph.links())
    if (link.kind == LinkKind::subagent_report)
      found += std::string(graph.trace()[graph.trace()[link.from].id]) + "->" +
               std::string(graph.trace()[graph.trace()[link.to].id]) + ' ';
  return found;
}

/// Those of the session, whose subagent says what the notice has.
std::string reports(Transcript session) {
  session.at(41).answer("a3", "m3", says("done"));
  session.sidechain(R"("agentId":"ab1")");
  session.at(4)
      .after("")
      .user("s1", "look")
      .at(9)
      .answer("s2", "m4", says("it <result> is</result>"));
  return reports_in(session);
}

}  // namespace

TEST_CASE("a subagent in the background reports to the call that is told of its end") {
  Transcript session = with_background_agent();
  CHECK(reports(session.at(40).user("u2", kNotice)) == "req_m4->req_m3 ");
}

TEST_CASE("so it does where the notice waited for the next request") {
  Transcript session = with_background_agent();
  session.at(40).line("u2", "attachment",
                      R"("attachment":{"type":"queued_command","prompt":")" + kNotice + "\"}");
  CHECK(reports(session) == "req_m4->req_m3 ");
}

TEST_CASE("a notice tells a subagent, what it said, and whether it failed") {
  const std::vector<TaskNotification> all = read_task_notifications(
      "\n<task-notification>\n<task-id>a1</task-id>\n<status>failed</status>\n"
      "<result>no <task-id>b2</task-id>\n</result>\n</task-notification>");
  REQUIRE(all.size() == 1);
  const TaskNotification& told = all.front();
  CHECK(told.task == "a1");
  CHECK(told.result == "no <task-id>b2</task-id>\n");
  CHECK(told.failed);
}

TEST_CASE("other words are no notice") {
  for (const char* text : {"", "go", "see <task-notification><task-id>a</task-id>",
                           "<task-notification><task-id>a</task-id></task-notification>",
                           "<task-notification><result>x</result></task-notification>"})
    CHECK(read_task_notifications(text).empty());
}

TEST_CASE("several notices in one text are told each, also where a result quotes one") {
  const auto notice = [](const std::string& agent, const std::string& result) {
    return "<task-notification>\n<task-id>" + agent +
           "</task-id>\n<status>completed</status>\n<result>" + result +
           "</result>\n</task-notification>\n";
  };
  const std::string text = notice("a1", "one, not <task-notification>two</task-notification>") +
                           "<task-notification><task-id>c1</task-id></task-notification>\n" +
                           notice("b2", "two");
  const std::vector<TaskNotification> all = read_task_notifications(text);
  REQUIRE(all.size() == 2);
  CHECK(all[0].task == "a1");
  CHECK(all[0].result == "one, not <task-notification>two</task-notification>");
  CHECK(all[1].task == "b2");
  CHECK(all[1].result == "two");
}

TEST_CASE("two subagents of which one text tells both report") {
  Transcript session;
  session.user("u1", "go")
      .answer("a1", "m1", spawns("t1", "Explore", "look") + "," + spawns("t2", "Explore", "dig"));
  session.at(3).result("r1", "t1",
                       R"("toolUseResult":{"status":"async_launched","agentId":"ab1"})");
  session.at(3).result("r2", "t2",
                       R"("toolUseResult":{"status":"async_launched","agentId":"cd2"})");
  session.at(20).answer("a2", "m2", says("it works"));
  const auto notice = [](const char* agent, const char* result) {
    return std::string("<task-notification><task-id>") + agent +
           "</task-id><status>completed</status><result>" + result +
           "</result></task-notification>";
  };
  session.at(40).user("u2", notice("ab1", "found") + "\\n" + notice("cd2", "dug"));
  session.at(41).answer("a3", "m3", says("done"));
  session.sidechain(R"("agentId":"ab1")");
  session.at(4).after("").user("s1", "look").at(9).answer("s2", "m4", says("found"));
  session.sidechain(R"("agentId":"cd2")");
  session.at(5).after("").user("s3", "dig").at(10).answer("s4", "m5", says("dug"));
  CHECK(reports_in(session) == "req_m4->req_m3 req_m5->req_m3 ");
}

TEST_CASE("a subagent in the background reports to the call that reads its output") {
  Transcript session = with_background_agent();
  session.at(22).answer("a2b", "m2b", uses("t9", "TaskOutput", R"({"task_id":"ab1"})"));
  session.at(40).line(
      "u2", "user",
      R"("message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t9","content":)"
      R"("<retrieval_status>success</retrieval_status>\n\n<task_id>ab1</task_id>\n\n)"
      R"(<task_type>local_agent</task_type>\n\n<status>completed</status>\n\n)"
      R"(<output>\nit <result> is</result>\n</output>"}]})");
  CHECK(reports(session) == "req_m4->req_m3 ");
  const Graph graph = link(read_log(session.text()), {});
  CHECK(std::count_if(graph.links().begin(), graph.links().end(),
                      [](const Link& link) { return link.kind == LinkKind::tool_result; }) == 1);
}

TEST_CASE("the output of a command is no report, and one of a subagent at work states no end") {
  const auto output = [](const char* type, const char* status) {
    return std::string(
               "<retrieval_status>success</retrieval_status>\n<task_id>a</task_id>\n<task_type>") +
           type + "</task_type>\n<status>" + status + "</status>\n<output>x</output>";
  };
  CHECK(read_task_output(output("local_agent", "completed")).task == "a");
  CHECK(read_task_output(output("local_agent", "completed")).result == "x");
  CHECK(read_task_output(output("local_agent", "failed")).failed);
  CHECK(read_task_output(output("local_agent", "running")).task.empty());
  CHECK(read_task_output(output("local_bash", "completed")).task == "a");
  CHECK(read_task_output(output("local_bash", "completed")).result.empty());
  CHECK(read_task_output("x " + output("local_agent", "completed")).task.empty());
}
