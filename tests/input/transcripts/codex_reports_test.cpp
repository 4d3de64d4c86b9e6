#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <set>

#include "input/transcripts/rollout.h"

using namespace xtrace;

TEST_CASE("what a subagent reports in a message of its own is read by the next call") {
  const std::string head = GENERATE("", "Message Type: FINAL_ANSWER\nPayload:\n");
  Rollout parent, child(13);
  parent.opens("p")
      .said("user", "go")
      .starts("c1", "child", "/main/seeds")
      .said("assistant", "wait")
      .counted(1, 1, 0, 1);
  child.opens("child", spawned("p", "sower")).said("user", "sow").said("assistant", "sown");
  parent.hears("/main/seeds", head + "sown");
  parent.said("assistant", "done");
  const Graph graph = graph_of({child.text(), parent.text()});
  std::string reports;
  for (const Link& link : graph.links())
    if (link.kind == LinkKind::subagent_report)
      reports +=
          fmt::format("{} to {} of {} by {}", graph.trace()[graph.trace()[link.from].agent],
                      graph.trace()[link.to].source.line, graph.trace()[link.key], word(link.rule));
  CHECK(reports == "child to 9 of c1 by agent_id");
  CHECK(graph.orphans().empty());
}

TEST_CASE("each report of a subagent is read by the call behind it") {
  Rollout parent, child(13);
  parent.opens("p")
      .said("user", "go")
      .starts("c1", "child", "/main/seeds")
      .said("assistant", "wait")
      .counted(1, 1, 0, 1);
  child.opens("child", spawned("p", "sower")).said("user", "sow").said("assistant", "sown");
  child.counted(1, 1, 0, 1).said("user", "more").said("assistant", "sown again");
  child.counted(2, 1, 0, 1);
  Rollout reports(30);
  reports.hears("/main/seeds", "sown").said("assistant", "more").counted(3, 1, 0, 1);
  reports.hears("/main/seeds", "sown again").said("assistant", "done");
  const Graph graph = graph_of({child.text(), parent.text() + reports.text()});
  std::string readers;
  for (const Link& link : graph.links())
    if (link.kind == LinkKind::subagent_report)
      readers += fmt::format("{} to {}, ", graph.trace()[link.from].source.line,
                             graph.trace()[link.to].source.line);
  CHECK(readers == "3 to 9, 6 to 12, ");
}

TEST_CASE("subagents of one path that report the same words report each to its own session") {
  std::vector<std::string> logs;
  for (const std::string parent_id : {"p", "q"}) {
    const int start = parent_id == "p" ? 10 : 40;
    const std::string child_id = "child of " + parent_id, use = "c " + parent_id;
    Rollout parent(start), child(start + 4);
    parent.opens(parent_id).said("user", "go");
    parent.starts(use, child_id, "/main/seeds").said("assistant", "wait");
    parent.counted(1, 1, 0, 1);
    child.opens(child_id, spawned(parent_id.c_str(), "sower")).said("user", "sow");
    child.said("assistant", "sown");
    parent.hears("/main/seeds", "sown");
    parent.said("assistant", "done " + parent_id);
    logs.push_back(child.text());
    logs.push_back(parent.text());
  }
  const Graph graph = graph_of(logs);
  std::set<std::string> reports;
  for (const Link& link : graph.links())
    if (link.kind == LinkKind::subagent_report)
      reports.insert(fmt::format("{} to {}", graph.trace()[graph.trace()[link.from].agent],
                                 graph.trace()[graph.trace()[link.to].session]));
  CHECK(reports == std::set<std::string>{"child of p to p", "child of q to q"});
}

TEST_CASE("what an agent says before it is done is no report, nor is what nobody started says") {
  const bool is_known = GENERATE(true, false);
  Rollout parent, child(13);
  parent.opens("p")
      .said("user", "go")
      .starts("c1", "child", is_known ? "/main/seeds" : "/main/bees")
      .said("assistant", "wait")
      .counted(1, 1, 0, 1);
  child.opens("child", spawned("p", "sower")).said("user", "sow").said("assistant", "sown");
  const std::string type = is_known ? "Message Type: MESSAGE\nPayload:\n" : "";
  parent.hears("/main/seeds", type + "sown");
  parent.said("assistant", "done");
  const Graph graph = graph_of({child.text(), parent.text()});
  for (const Link& link : graph.links()) CHECK(link.kind != LinkKind::subagent_report);
  CHECK(graph.orphans().empty());
}
