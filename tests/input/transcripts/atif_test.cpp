#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "by_line.h"
#include "link/graph/graph.h"
#include "reading.h"
#include "reread.h"

using namespace xtrace;

namespace {

using Json = nlohmann::json;

Json step(int number, const char* source, const char* message) {
  return {{"step_id", number},
          {"timestamp", "2026-01-01T10:00:0" + std::to_string(number) + "Z"},
          {"source", source},
          {"message", message}};
}

/// The agent uses a tool, and it gives something.
Json working(int number, const char* id, const char* tool, const Json& more = Json::object()) {
  Json step_of = step(number, "agent", "");
  step_of["tool_calls"] = {{{"tool_call_id", id}, {"function_name", tool}, {"arguments", {}}}};
  Json result = {{"source_call_id", id}, {"content", "done by " + std::string(tool)}};
  result.update(more);
  step_of["observation"] = {{"results", {result}}};
  return step_of;
}

Json trajectory(const char* id, std::vector<Json> steps) {
  return {{"schema_version", "ATIF-v1.5"},
          {"session_id", id},
          {"agent", {{"name", "agent-of-" + std::string(id)}, {"model_name", "large"}}},
          {"steps", std::move(steps)}};
}

}  // namespace

TEST_CASE("each step of the agent in a trajectory is a call") {
  Json last = step(3, "agent", "so it is");
  last["metrics"] = {
      {"prompt_tokens", 100}, {"completion_tokens", 7}, {"cached_tokens", 80}, {"cost_usd", 0.25}};
  Json log = trajectory("s", {step(1, "user", "is it?"), working(2, "t1", "look"), last});
  int indent = GENERATE(-1, 2);
  Folder folder;
  Progress progress;
  Graph graph = link(load({folder.write("a.json", log.dump(indent))}, {}, progress).value(), {});
  const Trace& trace = graph.trace();
  CHECK(trace.sources.front().format == "atif");
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace[trace.calls[0].id] == "s:2");
  CHECK(trace[trace.calls[0].model] == "large");
  CHECK(trace[trace.calls[0].agent_type] == "agent-of-s");
  CHECK(trace.calls[1].cost == 250000000);
  CHECK(trace.calls[0].cost == kNoCount);
  CHECK(trace.calls[1].tokens == Tokens{.input = 20, .output = 7, .cache_read = 80});
  REQUIRE(graph.links().size() == 2);
  CHECK(graph.links()[0].rule == Rule::tool_use_id);
  CHECK(graph.links()[1].rule == Rule::transcript);
  Excerpts excerpts(trace);
  CHECK(excerpts.of(trace.calls[0]).prompt == "is it?");
  CHECK(excerpts.of(trace.calls[1]).prompt == "done by look");
  CHECK(excerpts.of(trace.calls[1]).answer == "so it is");
}

TEST_CASE("steps of the agent with nothing in between are calls of their own") {
  Trace trace = read_log(trajectory("s", {step(1, "agent", "a"), step(2, "agent", "b")}).dump());
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace.calls[1].duration == kNoDuration);  // nobody knows since when
}

TEST_CASE("a subagent's trajectory is linked to the step that refers to it, whatever its tool") {
  Json child = trajectory("child", {step(3, "user", "seek"), step(4, "agent", "found")});
  Json reference = {{"session_id", "child"}};
  std::string log;
  SECTION("in a record of its own") {
    Json refers = {{"subagent_trajectory_ref", {reference}}};
    log = trajectory("s", {step(1, "user", "go"), working(2, "t1", "delegate", refers)}).dump() +
          "\n" + child.dump();
  }
  SECTION("before the one that refers to it") {
    Json refers = {{"subagent_trajectory_ref", {reference}}};
    log = child.dump() + "\n" +
          trajectory("s", {step(1, "user", "go"), working(2, "t1", "delegate", refers)}).dump();
  }
  SECTION("within the same record, of the same session") {
    child["session_id"] = "s";
    child["trajectory_id"] = "child";
    Json refers = {{"subagent_trajectory_ref", {{{"trajectory_id", "child"}}}}};
    Json whole = trajectory("s", {step(1, "user", "go"), working(2, "t1", "delegate", refers)});
    whole["subagent_trajectories"] = Json::array({child});
    log = whole.dump(1);
  }
  Graph graph = link(read_log(log), {});
  REQUIRE(graph.trace().calls.size() == 2);
  REQUIRE(graph.links().size() == 1);
  const Link& link = graph.links().front();
  CHECK(link.kind == LinkKind::subagent_spawn);
  CHECK(link.rule == Rule::agent_id);
  CHECK(graph.trace()[link.key] == "t1");
  CHECK(graph.agent_of(link.to).type.substr(0, 9) == "agent-of-");
  CHECK(graph.sessions().size() == 1);
}

TEST_CASE("a subagent whose trajectory is not there stands as the step has it") {
  Json refers = {{"subagent_trajectory_ref", {{{"session_id", "child"}}}}};
  Graph graph = link(read_log(trajectory("s", {working(2, "t1", "delegate", refers)}).dump()), {});
  REQUIRE(graph.trace().calls.size() == 2);
  CHECK(graph.trace().calls[1].outcome == Outcome::unrecorded);
  CHECK(graph.links().size() == 1);
}

TEST_CASE("a trajectory that is given twice counts once; another run of the same name does not") {
  Json log = trajectory("s", {step(1, "user", "go"), step(2, "agent", "done")});
  Json other = trajectory("s", {step(3, "user", "go"), step(4, "agent", "done")});
  other["steps"][0]["step_id"] = 1;
  other["steps"][1]["step_id"] = 2;
  CHECK(read_log(log.dump() + "\n" + log.dump()).calls.size() == 1);
  CHECK(read_log(log.dump() + "\n" + other.dump()).calls.size() == 2);
}

TEST_CASE("what a trajectory takes over from another is not counted again") {
  Json copied = step(1, "agent", "old");
  copied["is_copied_context"] = true;
  CHECK(read_log(trajectory("s", {copied, step(2, "agent", "new")}).dump()).calls.size() == 1);
}

TEST_CASE("an observation that no tool gave is told to the model, but is no result") {
  Json log = trajectory("s", {step(1, "agent", "a"), step(2, "agent", "b")});
  log["steps"][0]["observation"] = {{"results", {{{"content", "the sun set"}}}}};
  Trace trace = read_log(log.dump());
  CHECK(trace.tool_results.empty());
  CHECK(trace.calls.at(1).message_count == 2);
}

TEST_CASE("a step for which no model was asked is no call, and is told to the next one") {
  Json notice = step(2, "agent", "blocked");
  notice["llm_call_count"] = 0;
  Json last = step(3, "agent", "so be it");
  last["llm_call_count"] = 1;
  const Trace trace = read_log(trajectory("s", {step(1, "user", "do it"), notice, last}).dump());
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace[trace.calls[0].id] == "s:3");
  CHECK(trace.calls[0].message_count == 2);
}

TEST_CASE("what no call was told is not read by the steps that follow it") {
  const Graph graph = link(
      read_log(
          R"({"schema_version":"ATIF-v1.7","session_id":"s","trajectory_id":"s/main","agent":{"name":"m"},)"
          R"("steps":[{"step_id":1,"source":"user","message":"wipe it"},)"
          R"({"step_id":2,"source":"agent","message":"","tool_calls":[{"tool_call_id":"t1",)"
          R"("function_name":"bash","arguments":{}}],"observation":{"results":[{"source_call_id":"t1",)"
          R"("extra":{"is_error":true,"xtrace.is_unread":true,"xtrace.status":"error"}}]}},)"
          R"({"step_id":3,"source":"user","message":"no"},)"
          R"({"step_id":4,"source":"agent","message":"well"}]})"),
      {});
  const std::vector<CallId> calls(graph.timeline().in_order().begin(),
                                  graph.timeline().in_order().end());
  REQUIRE(calls.size() == 2);
  const std::span<const Activity> done = graph.activities().tools_of(calls[0]);
  REQUIRE(done.size() == 1);
  CHECK(done[0].outcome == Outcome::error);
  CHECK_FALSE(done[0].reader);
  CHECK(graph.trace()[calls[1]].message_count == 3);
}

TEST_CASE("a step of the program that asks for a tool starts a subagent without a model call") {
  Json asks =
      working(2, "d1", "delegate", {{"subagent_trajectory_ref", {{{"trajectory_id", "t-child"}}}}});
  asks["llm_call_count"] = 0;
  Json log = trajectory("s", {step(1, "user", "review"), asks, step(9, "agent", "fine")});
  Json child = trajectory("c", {step(3, "user", "read"), step(4, "agent", "it is fine")});
  child["trajectory_id"] = "t-child";
  log["subagent_trajectories"] = {child};
  const Graph graph = link(read_log(log.dump()), {});
  const Trace& trace = graph.trace();
  CHECK(graph.orphans().empty());
  size_t model_calls = 0, uses = 0, spawns = 0;
  for (size_t i = 0; i < trace.calls.size(); ++i) {
    model_calls += !trace.calls[i].is_dispatch;
    uses += graph.activities().tools_of(CallId(i)).size();
    if (!trace.calls[i].is_dispatch) continue;
    CHECK(graph.activities().of(CallId(i)).kind == Activity::Kind::other);
    CHECK(trace.calls[i].duration == kNoDuration);
    CHECK_FALSE(trace.calls[i].model);
  }
  for (const Link& link : graph.links()) spawns += link.kind == LinkKind::subagent_spawn;
  CHECK(model_calls == 2);
  CHECK(uses == 1);
  CHECK(spawns == 1);
}

TEST_CASE("a reference names a subagent's trajectory by either of its ids") {
  const char* id = GENERATE("trajectory_id", "session_id");
  Json refers = {{"subagent_trajectory_ref", {{{id, *id == 't' ? "t-child" : "c"}}}}};
  Json log = trajectory("s", {step(1, "user", "review"), working(2, "d1", "delegate", refers),
                              step(9, "agent", "fine")});
  Json child = trajectory("c", {step(3, "user", "read"), step(4, "agent", "it is fine")});
  child["trajectory_id"] = "t-child";
  log["subagent_trajectories"] = {child};
  const Graph graph = link(read_log(log.dump()), {});
  CHECK(graph.trace().calls.size() == 3);
  size_t spawns = 0;
  for (const Link& link : graph.links()) spawns += link.kind == LinkKind::subagent_spawn;
  CHECK(spawns == 1);
}

TEST_CASE("a step of several model calls does not tell how long one prompt was") {
  Json both = step(2, "agent", "done");
  both["llm_call_count"] = 2;
  both["metrics"] = {{"prompt_tokens", 100}, {"completion_tokens", 7}};
  const Trace trace = read_log(trajectory("s", {step(1, "user", "go"), both}).dump());
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace.calls[0].tokens.most_sent == kSeveralCalls);
}
