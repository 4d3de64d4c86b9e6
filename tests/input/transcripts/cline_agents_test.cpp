#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "cline_task.h"
#include "reading.h"

using namespace xtrace;

namespace {

using Json = nlohmann::json;

/// A document of Cline with a prompt and its answer each, at these seconds.
std::string document(const std::string& id, std::initializer_list<int> seconds, const Json& origin,
                     const Json& block = Task::text("done")) {
  Json messages = Json::array();
  for (int second : seconds) {
    const std::string name = std::to_string(second) + (origin.is_null() ? "m" : "s");
    const int64_t at = 1790000000000 + int64_t{1000} * second;
    messages.push_back(
        {{"id", "u" + name}, {"role", "user"}, {"content", {Task::text("look")}}, {"ts", at}});
    messages.push_back({{"id", "a" + name},
                        {"role", "assistant"},
                        {"content", {block}},
                        {"ts", at + 1000},
                        {"metrics", {{"inputTokens", 10}, {"outputTokens", 1}, {"cost", 0.5}}}});
  }
  Json document = {{"version", 1}, {"agent", "a"}, {"sessionId", id}, {"messages", messages}};
  if (!origin.is_null()) document["origin"] = origin;
  return document.dump();
}

}  // namespace

TEST_CASE("a teammate of Cline is one subagent, whatever it is told, of the use that started it") {
  Json use = Task::use("t1", "team_run_task");
  use["input"] = {{"agentId", "worker"}, {"task", "look"}};
  const Json origin = {{"parentThreadId", "17_ab"}, {"subagent", "worker"}};
  Folder folder;
  folder.write("17_ab/17_ab.messages.json", document("17_ab", {0, 20}, {}, use));
  folder.write("17_ab/worker__x1.messages.json",
               document("17_ab__teamtask__worker__x1", {2}, origin));
  folder.write("17_ab/worker__x2.messages.json",
               document("17_ab__teamtask__worker__x2", {2, 22}, origin));
  const Graph graph = graph_of_tasks(folder);
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() == 4);
  for (const Call& call : trace.calls) CHECK(trace[call.session] == "17_ab");
  std::set<std::string_view> types;
  size_t of_worker = 0;
  for (const Call& call : trace.calls) {
    of_worker += call.in_subagent;
    if (call.in_subagent) types.insert(trace[call.agent_type]);
  }
  CHECK(of_worker == 2);
  CHECK(types == std::set<std::string_view>{"worker"});
  size_t spawns = 0;
  for (const Link& link : graph.links()) spawns += link.kind == LinkKind::subagent_spawn;
  CHECK(spawns == 1);
}

TEST_CASE("a subagent of Cline is part of the session that its id begins with") {
  const Json origin = {{"parentThreadId", "17_ab"}, {"subagent", "scout"}};
  Folder folder;
  folder.write("17_ab/17_ab.messages.json", document("17_ab", {0}, {}));
  folder.write("17_ab/agent_1.messages.json", document("17_ab__agent_1", {2}, origin));
  const Graph graph = graph_of_tasks(folder);
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace[trace.calls[1].session] == "17_ab");
  CHECK(trace[trace.calls[1].agent_type] == "scout");
  CHECK(trace.calls[1].in_subagent);
}
