#include "input/transcripts/task_notification.h"

#include <catch2/catch.hpp>

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

std::string reports(Transcript session) {
  session.at(41).answer("a3", "m3", says("done"));
  session.sidechain(R"("agentId":"ab1")");
  session.at(4)
      .after("")
      .user("s1", "look")
      .at(9)
      .answer("s2", "m4", says("it <result> is</result>"));
  const Graph graph = link(read_log(session.text()), {});
  std::string found;
  for (const Link& link : graph.links())
    if (link.kind == LinkKind::subagent_report)
      found += std::string(graph.trace()[graph.trace()[link.from].id]) + "->" +
               std::string(graph.trace()[graph.trace()[link.to].id]) + ' ';
  return found;
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
  const TaskNotification told = read_task_notification(
      "\n<task-notification>\n<task-id>a1</task-id>\n<status>failed</status>\n"
      "<result>no <task-id>b2</task-id>\n</result>\n</task-notification>");
  CHECK(told.agent == "a1");
  CHECK(told.result == "no <task-id>b2</task-id>\n");
  CHECK(told.failed);
}

TEST_CASE("other words are no notice") {
  for (const char* text : {"", "go", "see <task-notification><task-id>a</task-id>",
                           "<task-notification><task-id>a</task-id></task-notification>",
                           "<task-notification><result>x</result></task-notification>"})
    CHECK(read_task_notification(text).agent.empty());
}
