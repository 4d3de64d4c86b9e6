#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <set>

#include "input/transcripts/rollout.h"

using namespace xtrace;

namespace {

using Json = nlohmann::json;

}  // namespace

TEST_CASE("what a subagent reports in a message of its own is read by the next call") {
  const std::string head = GENERATE("", "Message Type: FINAL_ANSWER\nPayload:\n");
  Rollout parent, child(13);
  parent.opens("p").said("user", "go").uses("c1", "spawn_agent", R"({"task_name":"seeds"})");
  parent.line("event_msg", {{"type", "sub_agent_activity"},
                            {"event_id", "c1"},
                            {"agent_thread_id", "child"},
                            {"agent_path", "/root/seeds"}});
  parent.gives("c1", R"({"task_name":"seeds"})").said("assistant", "wait").counted(1, 1, 0, 1);
  child.opens("child", spawned("p", "sower")).said("user", "sow").said("assistant", "sown");
  parent.line("response_item", {{"type", "agent_message"},
                                {"author", "/root/seeds"},
                                {"content", {{{"type", "input_text"}, {"text", head + "sown"}}}}});
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
  const auto report = [](const std::string& text) {
    return Json{{"type", "agent_message"},
                {"author", "/root/seeds"},
                {"content", {{{"type", "input_text"}, {"text", text}}}}};
  };
  Rollout parent, child(13);
  parent.opens("p").said("user", "go").uses("c1", "spawn_agent", R"({"task_name":"seeds"})");
  parent.line("event_msg", {{"type", "sub_agent_activity"},
                            {"event_id", "c1"},
                            {"agent_thread_id", "child"},
                            {"agent_path", "/root/seeds"}});
  parent.gives("c1", R"({"task_name":"seeds"})").said("assistant", "wait").counted(1, 1, 0, 1);
  child.opens("child", spawned("p", "sower")).said("user", "sow").said("assistant", "sown");
  child.counted(1, 1, 0, 1).said("user", "more").said("assistant", "sown again");
  child.counted(2, 1, 0, 1);
  Rollout reports(30);
  reports.line("response_item", report("sown")).said("assistant", "more").counted(3, 1, 0, 1);
  reports.line("response_item", report("sown again")).said("assistant", "done");
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
    parent.uses(use.c_str(), "spawn_agent", R"({"task_name":"seeds"})");
    parent.line("event_msg", {{"type", "sub_agent_activity"},
                              {"event_id", use},
                              {"agent_thread_id", child_id},
                              {"agent_path", "/root/seeds"}});
    parent.gives(use.c_str(), R"({"task_name":"seeds"})").said("assistant", "wait");
    parent.counted(1, 1, 0, 1);
    child.opens(child_id, spawned(parent_id.c_str(), "sower")).said("user", "sow");
    child.said("assistant", "sown");
    parent.line("response_item", {{"type", "agent_message"},
                                  {"author", "/root/seeds"},
                                  {"content", {{{"type", "input_text"}, {"text", "sown"}}}}});
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
  parent.opens("p").said("user", "go").uses("c1", "spawn_agent", R"({"task_name":"seeds"})");
  parent.line("event_msg", {{"type", "sub_agent_activity"},
                            {"event_id", "c1"},
                            {"agent_thread_id", "child"},
                            {"agent_path", is_known ? "/root/seeds" : "/root/bees"}});
  parent.gives("c1", R"({"task_name":"seeds"})").said("assistant", "wait").counted(1, 1, 0, 1);
  child.opens("child", spawned("p", "sower")).said("user", "sow").said("assistant", "sown");
  const std::string type = is_known ? "Message Type: MESSAGE\nPayload:\n" : "";
  parent.line("response_item", {{"type", "agent_message"},
                                {"author", "/root/seeds"},
                                {"content", {{{"type", "input_text"}, {"text", type + "sown"}}}}});
  parent.said("assistant", "done");
  const Graph graph = graph_of({child.text(), parent.text()});
  for (const Link& link : graph.links()) CHECK(link.kind != LinkKind::subagent_report);
  CHECK(graph.orphans().empty());
}
