#include <catch2/catch.hpp>

#include "link/activities/call_turns.h"
#include "reading.h"
#include "story.h"
#include "transcript.h"

using namespace xtrace;

namespace {

Graph graph_of_team(const std::vector<std::pair<std::string, std::string>>& files) {
  Folder folder;
  for (const auto& [name, text] : files) folder.write(name, text);
  Progress progress;
  return link(load({folder.path()}, {}, progress).value(), {});
}

std::string spawned(const std::string& id) {
  return R"("toolUseResult":{"status":"teammate_spawned","agent_id":")" + id +
         R"(","agent_type":"general","name":"scout"})";
}

/// A session that starts a teammate `scout`, and is known by it.
Transcript lead() {
  Transcript session("S1");
  session.user("u1", "go").answer("a1", "m1", uses("t1", "Agent"));
  session.result("r1", "t1", spawned("scout@crew")).answer("a2", "m2", says("started"));
  session.at(60).user("u2", R"(<teammate-message teammate_id=\"scout\">found</teammate-message>)");
  return session.answer("a3", "m3", says("done"));
}

const std::string kTold = R"(<teammate-message teammate_id=\"team-lead\">look</teammate-message>)";

}  // namespace

TEST_CASE("a teammate in the same process is started by the tool use that names it") {
  Transcript scout("S1");
  scout.sidechain(R"("agentId":"abc")").at(5).user("b1", kTold).answer("b2", "m4", says("found"));
  const std::string about = GENERATE(R"({"agentType":"general","name":"scout","teamName":"crew"})",
                                     R"({"agentType":"general","name":"scout"})");
  const Graph graph = graph_of_team({{"S1.jsonl", lead().text()},
                                     {"S1/subagents/agent-abc.jsonl", scout.text()},
                                     {"S1/subagents/agent-abc.meta.json", about}});
  CHECK(links_of(graph, "subagent_spawn") == "req_m1->req_m4 subagent_spawn 1.00 t1");
}

TEST_CASE("a teammate in a session of its own is started by the tool use that names it") {
  Transcript scout("S2");
  const std::string named = R"("teamName":"crew","agentName":"scout")";
  scout.at(5).with(named).user("b1", kTold).with(named).answer("b2", "m4", says("found"));
  const Graph graph = graph_of_team({{"S1.jsonl", lead().text()}, {"S2.jsonl", scout.text()}});
  CHECK(links_of(graph, "subagent_spawn") == "req_m1->req_m4 subagent_spawn 1.00 t1");
  CHECK(agents_of(graph) == "main: req_m1 req_m2 req_m3\ngeneral: req_m4");
  CHECK(turns_of_calls(graph)[0].number == turns_of_calls(graph)[2].number);
}

TEST_CASE("of two teammates of one name each was started before it said anything") {
  Transcript session("S1"), first("S2"), second("S3");
  session.user("u1", "go").answer("a1", "m1", uses("t1", "Agent"));
  session.result("r1", "t1", spawned("scout@crew")).at(30).answer("a2", "m2", uses("t2", "Agent"));
  session.result("r2", "t2", spawned("scout@crew"));
  const std::string named = R"("teamName":"crew","agentName":"scout")";
  first.at(5).with(named).user("b1", kTold).with(named).answer("b2", "m3", says("found"));
  second.at(35).with(named).user("c1", kTold).with(named).answer("c2", "m4", says("found"));
  const Graph graph = graph_of_team(
      {{"S1.jsonl", session.text()}, {"S2.jsonl", first.text()}, {"S3.jsonl", second.text()}});
  CHECK(links_of(graph, "subagent_spawn") ==
        "req_m1->req_m3 subagent_spawn 1.00 t1\n"
        "req_m2->req_m4 subagent_spawn 1.00 t2");
}

TEST_CASE("a session that names its team, and whose lead left no log, is one by itself") {
  Transcript scout("S2");
  const std::string named = R"("teamName":"crew","agentName":"scout")";
  scout.with(named).user("b1", kTold).with(named).answer("b2", "m4", says("found"));
  CHECK(sessions_of(graph_of_team({{"S2.jsonl", scout.text()}})) == "S2: req_m4");
}
