#include <catch2/catch.hpp>

#include "by_line.h"
#include "input/transcripts/rollout.h"

using namespace xtrace;

using Json = nlohmann::json;

namespace {

Rollout& done(Rollout& log, const Json& item) {
  return log.line("event_msg", {{"type", "item_completed"}, {"item", item}});
}

/// The class of the failure of the only tool.
std::string failure_of(const Rollout& log) {
  const Trace trace = read_log(log.text());
  for (const ToolResult& row : trace.tool_results)
    if (row.message && !row.is_error) return "none";
  return trace.tool_results.empty() ? "no result"
                                    : std::string(word(trace.tool_results.back().error));
}

/// The heading of a subagent, with the ordinal of its first own line.
std::string subagent(const Json& own) {
  const Json line = {
      {"timestamp", "2026-01-01T10:00:30Z"},
      {"ordinal", 0},
      {"type", "session_meta"},
      {"payload",
       {{"id", "c"}, {"source", spawned("p", "scout")}, {"subagent_history_start_ordinal", own}}}};
  return line.dump() + "\n";
}

}  // namespace

TEST_CASE("what Codex shows of a tool when it is done tells that it failed") {
  const auto [item, error] = GENERATE(table<Json, std::string>(
      {{Json{{"type", "McpToolCall"}, {"id", "c1"}, {"status", "failed"}}, "other"},
       {Json{{"type", "FileChange"}, {"id", "c1"}, {"status", "declined"}}, "denied"},
       {Json{{"type", "DynamicToolCall"}, {"id", "c1"}, {"success", false}}, "other"},
       {Json{{"type", "CommandExecution"}, {"id", "c1"}, {"exit_code", 2}}, "execution"},
       {Json{{"type", "CommandExecution"}, {"id", "c1"}, {"exit_code", 0}}, "none"},
       {Json{{"type", "McpToolCall"}, {"id", "c2"}, {"status", "failed"}}, "none"}}));
  Rollout log;
  log.opens("s").said("user", "go").uses("c1", "act", "{}");
  done(log, item).gives("c1", "said so").said("assistant", "so");
  CHECK(failure_of(log) == error);
}

TEST_CASE("a command of Codex that fails after its output was told did not fail then") {
  Rollout log;
  log.opens("s").said("user", "go").uses("c1", "act", "{}").gives("c1", "it runs on");
  done(log, {{"type", "CommandExecution"}, {"id", "c1"}, {"status", "failed"}});
  CHECK(failure_of(log.said("assistant", "so")) == "none");
}

TEST_CASE("a script of Codex says first whether it failed, and how long it took") {
  const Json output = GENERATE(
      Json("Script failed\nWall time 1.5 seconds\nOutput:\nx"),
      Json({{{"type", "input_text"}, {"text", "Script failed\nWall time 1.5 seconds\nOutput:\n"}},
            {{"type", "input_text"}, {"text", "x"}}}));
  Rollout log;
  log.opens("s").said("user", "go").uses("c1", "exec", "{}").gives("c1", output);
  const Trace trace = read_log(log.said("assistant", "so").text());
  REQUIRE(!trace.tool_results.empty());
  CHECK(trace.tool_results.back().is_error);
  CHECK(trace.tool_results.back().took == std::chrono::milliseconds(1500));
}

TEST_CASE("a subagent of Codex is known by what the user was shown of it") {
  const bool is_start = GENERATE(true, false);
  Rollout parent, child(30);
  parent.opens("p").said("user", "go").uses("c1", "spawn_agent", "{}");
  done(parent, {{"type", "SubAgentActivity"},
                {"id", "c1"},
                {"kind", is_start ? "started" : "interacted"},
                {"agent_thread_id", "c"}});
  parent.gives("c1", "{}").said("assistant", "so");
  child.opens("c", spawned("p", "scout")).said("user", "look").said("assistant", "seen");
  size_t spawns = 0;
  const Graph graph = graph_of({parent.text(), child.text()});
  for (const Link& link : graph.links()) spawns += link.kind == LinkKind::subagent_spawn;
  CHECK(spawns == (is_start ? 1 : 0));
}

TEST_CASE("what a subagent of Codex took over counts once, though it does not call itself a fork") {
  Rollout parent, child(30);
  const auto works = [](Rollout& log) {
    log.said("user", "dig").uses("c1", "spawn_agent", "{}").counted(100, 100, 0, 5);
  };
  works(parent.opens("p"));
  parent.gives("c1", R"({"agent_id":"c"})").said("assistant", "dug").counted(300, 200, 0, 7);
  works(child.opens("c", spawned("p", "scout")));
  child.said("user", "look").said("assistant", "seen").counted(150, 50, 0, 3);
  CHECK(graph_of({parent.text(), child.text()}).trace().calls.size() == 3);
}

TEST_CASE("a subagent of Codex tells at which line its own words begin") {
  const Json own = GENERATE(Json(3), Json("3"));
  Rollout rest(10);
  rest.said("user", "dig").said("assistant", "dug").said("user", "look").said("assistant", "seen");
  const Graph graph = graph_of({subagent(own) + rest.text()});
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace.calls.front().source.line == 5);
  CHECK(trace.sources.front().copies == 2);
}

TEST_CASE("a subagent of Codex whose parent is not on record said nothing before it was made") {
  const bool has_heading = GENERATE(true, false);
  Rollout copied(10), own(40);
  if (has_heading) copied.opens("p");
  copied.said("user", "dig").said("assistant", "dug");
  own.said("user", "look").said("assistant", "seen");
  const Graph graph = graph_of({subagent(nullptr) + copied.text() + own.text()});
  const Trace& trace = graph.trace();
  CHECK(trace.calls.size() == (has_heading ? 1 : 2));
}

TEST_CASE("what a summary of Codex used up stands in a record of its own") {
  const auto bill = [](Rollout& log, const char* id, int input) {
    log.line("token_usage_record",
             {{"response_id", id}, {"usage", {{"input_tokens", input}, {"output_tokens", 3}}}});
  };
  Rollout log;
  log.opens("s").model("m").said("user", "go").said("assistant", "went");
  bill(log, "r1", 100);
  log.counted(100, 100, 0, 3);
  bill(log, "r2", 250);
  log.line("compacted", {{"message", ""}, {"compaction_response_id", "r2"}});
  log.said("user", "on").said("assistant", "done");
  bill(log, "r3", 40);
  const Trace trace = read_log(log.counted(140, 40, 0, 3).text());
  REQUIRE(trace.calls.size() == 3);
  CHECK(trace.calls[0].tokens.input == 100);
  CHECK(trace.calls[1].tokens.input == 250);
  CHECK(trace.calls[1].sums_up);
  CHECK(trace[trace.calls[1].model] == "m");
  CHECK(trace.calls[2].tokens.input == 40);
  CHECK(trace.calls[2].is_compacted);
  CHECK(trace.complaints.empty());
}

TEST_CASE("what Codex puts in for the model begins no turn") {
  const std::string text = GENERATE("<codex_internal_context source=\"goal\">\nGo on.",
                                    "<hook_prompt hook_run_id=\"1\">Go on.</hook_prompt>");
  Rollout log;
  log.opens("s").said("user", "go").said("assistant", "went").said("user", text);
  const Trace trace = read_log(log.said("assistant", "on").text());
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace[trace.calls.front().request].role == Message::Role::user);
  CHECK(trace[trace.calls.back().request].role == Message::Role::other);
}

TEST_CASE("a review by Codex is part of the session that its file names") {
  Rollout log;
  log.line("session_meta", {{"id", "g"},
                            {"parent_thread_id", "p"},
                            {"source", {{"subagent", {{"other", "guardian"}}}}}});
  const Trace trace = read_log(log.said("user", "may it").said("assistant", "yes").text());
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace[trace.calls.front().session] == "p");
  CHECK(trace[trace.calls.front().agent_type] == "guardian");
}

TEST_CASE("a rollout that is kept twice counts once, and so does a shorter copy") {
  const bool is_shorter = GENERATE(true, false);
  Rollout log;
  log.opens("s").said("user", "go").uses("c1", "act", "{}").counted(100, 100, 0, 5);
  const std::string begun = log.text();
  log.gives("c1", "done").said("assistant", "so").counted(300, 200, 0, 7);
  const Graph graph = graph_of({is_shorter ? begun : log.text(), log.text()});
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace.calls[0].tokens.input == 100);
  CHECK(trace.calls[1].tokens.input == 200);
  CHECK(trace.sources[is_shorter ? 0 : 1].copies == (is_shorter ? 3 : 6));
}

TEST_CASE("a thread that goes on otherwise at another time is no copy") {
  Rollout one, other(30);
  one.opens("s").said("user", "go").said("assistant", "went");
  other.opens("s").said("user", "go").said("assistant", "went");
  CHECK(graph_of({one.text(), other.text()}).trace().calls.size() == 2);
}
