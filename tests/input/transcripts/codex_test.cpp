#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "by_line.h"
#include "facts/rows.h"
#include "facts/tool_targets.h"
#include "input/transcripts/rollout.h"
#include "link/activities/call_turns.h"
#include "reading.h"
#include "reread.h"

using namespace xtrace;

namespace {

using Json = nlohmann::json;

}  // namespace

TEST_CASE("all that Codex answers until it is told something is one call") {
  Rollout log;
  log.opens("s")
      .model("gpt-x")
      .said("user", "mend it")
      .line("response_item", {{"type", "reasoning"}});
  log.said("assistant", "I look").uses("c1", "shell", R"({"command":["ls"]})");
  log.gives("c1", "Exit code: 0\nOutput:\na.cpp").said("assistant", "done");
  size_t piece_bytes = GENERATE(0u, 100u, 300u);
  Graph graph = graph_of({log.text()}, piece_bytes);
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace[trace.calls[0].model] == "gpt-x");
  CHECK(trace[trace.calls[1].model] == "gpt-x");
  CHECK(trace[trace.calls[0].session] == "s");
  CHECK(trace.calls[1].message_count == 3);
  CHECK(trace.calls[0].duration == std::chrono::seconds(3));
  CHECK(links_by_line(graph) == "4->8 tool_use_id\n4->8 transcript");
}

TEST_CASE("what the user is shown a second time counts once") {
  Rollout log;
  log.opens("s").said("user", "hi").shown("user_message", "hi");
  log.shown("agent_reasoning", "").shown("agent_message", "hello").said("assistant", "hello");
  Trace trace = read_log(log.text());
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace.calls.front().message_count == 1);
  CHECK(trace.calls.front().source.line == 6);
}

TEST_CASE("where texts are only shown, that counts") {
  Rollout log;
  log.opens("s").shown("user_message", "hi").shown("agent_message", "hello");
  log.shown("user_message", "and?").shown("agent_message", "nothing");
  Graph graph = graph_of({log.text()});
  REQUIRE(graph.trace().calls.size() == 2);
  CHECK(graph.trace().calls[1].message_count == 3);
  CHECK(links_by_line(graph) == "3->5 transcript");
}

TEST_CASE("a count that is told twice counts once, and cached tokens are no input") {
  Rollout log;
  log.opens("s").said("user", "hi").uses("c1", "shell", "{}").counted(1000, 1000, 900, 20);
  log.gives("c1", "x").counted(1000, 1000, 900, 20).said("assistant", "done");
  log.counted(2200, 1200, 1000, 5).counted(2200, 1200, 1000, 5);
  Trace trace = read_log(log.text());
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace.calls[0].tokens == Tokens{.input = 100, .output = 20, .cache_read = 900});
  CHECK(trace.calls[1].tokens == Tokens{.input = 200, .output = 5, .cache_read = 1000});
}

TEST_CASE("a count without an answer is of a call that summed up what was said") {
  Rollout log;
  log.opens("s").model("gpt-5.5").said("user", "hi").uses("c1", "shell", "{}");
  log.counted(10, 10, 0, 1).gives("c1", "x").counted(60, 50, 0, 30);
  log.line("compacted", {{"message", "hi, x"}}).counted(60, 0, 0, 0);
  log.said("assistant", "done").counted(80, 20, 0, 2);
  Trace trace = read_log(log.text());
  REQUIRE(trace.calls.size() == 3);
  CHECK(trace.calls[0].tokens.input == 10);
  CHECK(trace.calls[1].tokens == Tokens{.input = 50, .output = 30, .cache_read = 0});
  CHECK(trace.calls[1].sums_up);
  CHECK(trace[trace.calls[1].model] == "gpt-5.5");
  CHECK(trace.calls[1].duration == kNoDuration);
  CHECK(trace.calls[2].tokens.input == 20);
  CHECK(turns_of_calls(graph_of({log.text()})).back().number == 1);
}

TEST_CASE("how full a client holds the context for is no count") {
  Rollout log;
  log.opens("s").said("user", "hi").said("assistant", "one").counted(10, 10, 0, 1);
  log.said("user", "all of it").counted(0, 0, 0, 0);
  log.line("event_msg", {{"type", "error"}, {"codex_error_info", "context_window_exceeded"}});
  Trace trace = read_log(log.text());
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace.calls[0].tokens.input == 10);
  CHECK(trace.calls[1].tokens == Tokens{});
}

TEST_CASE("an answer behind a count is another one") {
  Rollout log;
  log.opens("s").said("user", "hi").said("assistant", "one").counted(10, 10, 0, 1);
  log.said("assistant", "two").counted(30, 20, 0, 2);
  Trace trace = read_log(log.text());
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace.calls[1].tokens.input == 20);
}

TEST_CASE("what a client says in the user's place is told, but nobody's words") {
  Rollout log;
  log.opens("s").said("user", "<environment_context>\n</environment_context>");
  log.shown("user_message", "hi").said("assistant", "hello");
  Trace trace = read_log(log.text());
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace.calls.front().message_count == 2);  // the echo is the only telling of `hi`
  CHECK(trace.prompts.size() > 0);
}

TEST_CASE("a subagent's file is linked to the call that started it, by the thread's id") {
  Rollout parent, child(20);
  parent.opens("p").said("user", "go");
  parent.uses("c1", "spawn_agent", R"({"message":"look","agent_type":"explorer"})");
  bool is_reported = GENERATE(false, true);
  if (is_reported)
    parent.line("event_msg", {{"type", "collab_agent_spawn_end"},
                              {"call_id", "c1"},
                              {"new_thread_id", "child"},
                              {"prompt", "other words"}});
  else
    parent.gives("c1", R"({"agent_id":"child"})");
  child.opens("child", spawned("p", "explorer")).said("user", "seek").said("assistant", "found");
  size_t piece_bytes = GENERATE(0u, 100u);
  bool child_first = GENERATE(false, true);
  Graph graph = child_first ? graph_of({child.text(), parent.text()}, piece_bytes)
                            : graph_of({parent.text(), child.text()}, piece_bytes);
  REQUIRE(graph.trace().calls.size() == 2);
  REQUIRE(graph.links().size() == 1);
  const Link& link = graph.links().front();
  CHECK(link.rule == Rule::agent_id);
  CHECK(graph.trace()[link.key] == "c1");
  CHECK(graph.agent_of(link.to).type == "explorer");
  CHECK(graph.sessions().size() == 1);
  CHECK(graph.trace()[graph.sessions().front().id] == "p");
}

TEST_CASE("a subagent's subagent is of the session of the one that nobody started") {
  Rollout parent, child(20), grandchild(30);
  parent.opens("p").said("user", "go").uses("c1", "spawn_agent", "{}");
  parent.gives("c1", R"({"agent_id":"c"})");
  child.opens("c", spawned("p", "a")).said("user", "x").uses("c2", "spawn_agent", "{}");
  child.gives("c2", R"({"agent_id":"g"})");
  grandchild.opens("g", spawned("c", "b")).said("user", "y").said("assistant", "z");
  Graph graph = graph_of({grandchild.text(), child.text(), parent.text()});
  CHECK(graph.sessions().size() == 1);
  size_t spawns = 0;
  for (const Link& link : graph.links()) spawns += link.rule == Rule::agent_id ? 1 : 0;
  CHECK(spawns == 2);
}

TEST_CASE("a subagent whose file is not there stands as its report has it") {
  Rollout log;
  log.opens("p").said("user", "go").uses("c1", "spawn_agent", "{}");
  log.line("event_msg",
           {{"type", "collab_agent_spawn_end"}, {"call_id", "c1"}, {"new_thread_id", "child"}});
  Graph graph = graph_of({log.text()});
  REQUIRE(graph.trace().calls.size() == 2);
  CHECK(graph.trace().calls[1].outcome == Outcome::unrecorded);
  CHECK(links_by_line(graph) == "3->4 agent_id");
}

TEST_CASE("a review names no parent, and none is made up for it") {
  Rollout parent, child;
  parent.opens("p").shown("user_message", "review").shown("agent_message", "Entering review");
  child.opens("r", {{"subagent", "review"}}).shown("agent_message", "done");
  Graph graph = graph_of({parent.text(), child.text()});
  CHECK(graph.links().empty());
  CHECK(graph.agents()[0].type == "main");
  CHECK(graph.agents()[1].type == "review");
}

TEST_CASE("the heading of the thread it goes on from does not make a file that thread's") {
  Rollout log;
  log.line("session_meta", {{"id", "new"}, {"forked_from_id", "old"}});
  log.opens("old").said("user", "hi").said("assistant", "hello");
  Trace trace = read_log(log.text());
  CHECK(trace[trace.calls.front().session] == "new");
}

TEST_CASE("a command's exit code tells whether it failed, however the client writes it") {
  Rollout log;
  log.opens("s").said("user", "go").uses("c1", "shell", "{}");
  Json output = GENERATE(Json("Exit code: 1\nWall time: 0\nOutput:\n"),
                         Json(R"({"output":"x","metadata":{"exit_code":2}})"),
                         Json("Chunk ID: 1\nProcess exited with code 127\nOutput:\n"),
                         Json({{"content", "x"}, {"success", false}}));
  log.gives("c1", output);
  Trace trace = read_log(log.text());
  REQUIRE(!trace.tool_results.empty());
  CHECK(trace.tool_results.front().is_error);
}

TEST_CASE("a tool that Codex could not run failed") {
  const std::string output =
      GENERATE("apply_patch verification failed: no such lines",
               "failed to parse function arguments: missing field `cmd`",
               "exec_command failed for `x`: rejected by user", "unsupported call: look",
               "write_stdin failed: no process", "collab spawn failed: too many agents");
  Rollout log;
  log.opens("s").said("user", "go").uses("c1", "shell", "{}").gives("c1", output);
  log.said("assistant", "done");
  const Trace trace = read_log(log.text());
  REQUIRE(!trace.tool_results.empty());
  CHECK(trace.tool_results.front().is_error);
}

TEST_CASE("an output that tells of no failure is none, whatever it prints") {
  Rollout log;
  log.opens("s").said("user", "go").uses("c1", "shell", "{}");
  Json output = GENERATE(Json("Exit code: 0\nOutput:\nExit code: 1"), Json("all well"),
                         Json(R"({"output":"x","metadata":{"exit_code":0}})"),
                         Json({{{"type", "input_text"}, {"text", "Exit code: 0"}}}));
  log.gives("c1", output);
  Trace trace = read_log(log.text());
  REQUIRE(!trace.tool_results.empty());
  CHECK(!trace.tool_results.front().is_error);
}

TEST_CASE("behind a summary a conversation goes on without its messages") {
  Rollout log;
  log.opens("s").said("user", "one").said("assistant", "two").counted(1, 1, 0, 1);
  log.line("compacted", {{"message", "they talked"}}).said("user", "three");
  log.said("assistant", "four");
  Graph graph = graph_of({log.text()});
  REQUIRE(graph.trace().calls.size() == 2);
  CHECK(graph.trace().calls[1].message_count == 2);
  CHECK(links_by_line(graph) == "3->7 summary");
}

TEST_CASE("a rollout without any answer has a call that was not answered") {
  Rollout log;
  log.opens("s").said("user", "<environment_context>").said("user", "is anybody there?");
  Trace trace = read_log(log.text());
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace.calls.front().outcome == Outcome::unanswered);
  CHECK(trace.calls.front().duration == kNoDuration);
  CHECK(trace.calls.front().message_count == 2);
  CHECK(!trace.calls.front().answer);
}

TEST_CASE("an error is an attempt that got no answer") {
  Rollout log;
  log.opens("s").said("user", "one");
  log.line("event_msg", {{"type", "error"}, {"codex_error_info", "usage_limit_exceeded"}});
  log.said("assistant", "two");
  Graph graph = graph_of({log.text()});
  REQUIRE(graph.trace().calls.size() == 2);
  CHECK(graph.trace()[graph.trace().calls[0].error] == "usage_limit_exceeded");
  CHECK(links_by_line(graph) == "3->4 same_messages");
}

TEST_CASE("an error of Codex is a word, or tells the status that the provider answered with") {
  using Told = std::pair<Json, std::string>;
  const auto [told, error] = GENERATE(
      Told("usage_limit_exceeded", "usage_limit_exceeded"),
      Told({{"http_connection_failed", {{"http_status_code", 502}}}}, "http_502"),
      Told({{"stream_disconnected", {{"http_status_code", nullptr}}}}, "stream_disconnected"));
  Rollout log;
  log.opens("s")
      .said("user", "go")
      .line("event_msg", {{"type", "error"}, {"codex_error_info", told}});
  const Trace trace = read_log(log.text());
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace[trace.calls[0].error] == error);
}

TEST_CASE("a patch tells the file it is about, as text or in arguments") {
  std::string patch = "*** Begin Patch\n*** Update File: src/a.cpp\n-x\n+y\n*** End Patch";
  Rollout log;
  log.opens("s").said("user", "go");
  bool is_text = GENERATE(true, false);
  if (is_text)
    log.line("response_item", {{"type", "custom_tool_call"},
                               {"call_id", "c1"},
                               {"name", "apply_patch"},
                               {"input", patch}});
  else
    log.uses("c1", "apply_patch", {{"patch", patch}});
  Trace trace = read_log(log.text());
  REQUIRE(!trace.tool_uses.empty());
  CHECK(trace[trace.tool_uses.front().target] == "src/a.cpp");
}

TEST_CASE("a patch of several files works on all of them, beside other tools of one answer") {
  const std::string patch =
      "*** Begin Patch\n*** Add File: a.py\n+x\n*** Update File: b.py\n*** Move to: c.py\n"
      "*** End Patch";
  const nlohmann::json argv = {"bash", "-lc", "apply_patch <<'EOF'\n" + patch + "\nEOF"};
  Rollout log;
  log.opens("s").said("user", "go");
  log.uses("c1", "exec_command", R"({"cmd":"ls"})");
  log.line(
      "response_item",
      {{"type", "custom_tool_call"}, {"call_id", "c2"}, {"name", "apply_patch"}, {"input", patch}});
  log.uses("c3", "shell", nlohmann::json{{"command", argv}}.dump());
  const Trace trace = read_log(log.text());
  std::string told;
  for (const ToolUse& use : rows_of(trace.tool_uses, trace.calls.at(0).answer)) {
    told += fmt::format("{}{}:", trace[use.id], use.patches ? " patches" : "");
    for (StringId target : targets_of(trace, use)) told += fmt::format(" {}", trace[target]);
    told += ". ";
  }
  CHECK(told == "c1:. c2 patches: a.py b.py c.py. c3 patches: a.py b.py c.py. ");
}

TEST_CASE("what was said in a rollout is read again from its lines") {
  Rollout log;
  log.opens("s").said("user", "what is it?").said("assistant", "it is a pear");
  Folder folder;
  Progress progress;
  Trace trace = load({folder.write("r.jsonl", log.text())}, {}, progress).value();
  Excerpt excerpt = Excerpts(trace).of(trace.calls.front());
  CHECK(excerpt.prompt == "what is it?");
  CHECK(excerpt.answer == "it is a pear");
}

TEST_CASE("an event tells the thread of a subagent where the tool's output names a task alone") {
  Rollout parent, child(20);
  parent.opens("p").said("user", "go").uses("c1", "spawn_agent", R"({"task_name":"seeds"})");
  parent.line("event_msg", {{"type", "sub_agent_activity"},
                            {"event_id", "c1"},
                            {"agent_thread_id", "child"},
                            {"kind", "started"}});
  parent.gives("c1", R"({"task_name":"seeds"})");
  child.opens("child", spawned("p", "sower")).opens("p").said("user", "sow");
  child.said("assistant", "sown");
  Graph graph = graph_of({child.text(), parent.text()});
  REQUIRE(graph.trace().calls.size() == 2);
  REQUIRE(graph.links().size() == 1);
  CHECK(graph.links().front().rule == Rule::agent_id);
  CHECK(graph.trace()[graph.links().front().key] == "c1");
  CHECK(graph.sessions().size() == 1);
}

TEST_CASE("a call begins with what another agent tells, which begins no turn") {
  Rollout log;
  log.opens("s").said("user", "go").said("assistant", "wait").counted(1, 1, 0, 1);
  log.line("response_item", {{"type", "agent_message"},
                             {"author", "seeds"},
                             {"content", {{{"type", "input_text"}, {"text", "sown"}}}}});
  log.said("assistant", "done");
  const Trace trace = read_log(log.text());
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace.calls[1].message_count == 3);
  CHECK(trace.calls[1].duration == std::chrono::seconds(1));
}

TEST_CASE("how a tool fared is known though nobody was asked with its result any more") {
  Rollout log;
  log.opens("s").said("user", "go").uses("c1", "shell", "{}").uses("c2", "shell", "{}");
  log.gives("c1", "Exit code: 1\nOutput:\n").gives("c2", "Exit code: 0\nOutput:\n");
  const Graph graph = graph_of({log.text()});
  REQUIRE(graph.trace().calls.size() == 1);
  const auto tools = graph.activities().tools_of(CallId(0));
  REQUIRE(tools.size() == 2);
  CHECK(tools[0].outcome == Outcome::error);
  CHECK(tools[0].duration == std::chrono::seconds(1));
  CHECK(tools[1].outcome == Outcome::ok);
  CHECK(tools[1].duration == std::chrono::seconds(2));
  CHECK_FALSE(tools[1].reader);
  CHECK(graph.links().empty());
}

TEST_CASE("a tool of Codex that the user did not wait for failed") {
  const std::string output =
      GENERATE("aborted", "aborted by user after 2.0s", "Wall time: 2.0 seconds\naborted by user");
  Rollout log;
  log.opens("s").said("user", "go").uses("c1", "exec_command", "{}").gives("c1", output);
  log.said("user", "again").said("assistant", "done");
  CHECK(links_by_line(graph_of({log.text()})) == "3->6 tool_use_id error\n3->6 transcript");
}

TEST_CASE("a tool of a server that Codex calls failed where its event says so") {
  const std::string told = GENERATE(R"({"Err":"down"})", R"({"Ok":{"isError":true}})",
                                    R"({"Ok":{"content":[],"isError":false}})");
  const bool is_event_first = GENERATE(true, false);
  Rollout log;
  log.opens("s").said("user", "go").uses("c1", "search", "{}").uses("c2", "search", "{}");
  const auto event = [&] {
    log.line("event_msg",
             {{"type", "mcp_tool_call_end"}, {"call_id", "c1"}, {"result", Json::parse(told)}});
  };
  if (is_event_first) event();
  log.gives("c1", "down");
  if (!is_event_first) event();
  log.gives("c2", "down");
  const Trace trace = read_log(log.said("assistant", "so").text());
  const bool failed = told.find("false") == std::string::npos;
  REQUIRE(!trace.tool_results.empty());
  for (const ToolResult& row : trace.tool_results)
    CHECK(row.is_error == (failed && trace[row.tool_use] == "c1"));
}

TEST_CASE("equal searches without an id in one answer are as many as there are items") {
  Rollout log;
  const Json search = {{"type", "web_search_call"},
                       {"status", "completed"},
                       {"action", {{"type", "search"}, {"query", "x"}}}};
  log.opens("s").said("user", "look").line("response_item", search).line("response_item", search);
  log.said("assistant", "found").said("user", "on").said("assistant", "done");
  const Graph graph = graph_of({log.text()});
  size_t searches = 0;
  for (const Activity& done : graph.activities().all)
    if (done.use != nullptr) {
      ++searches;
      CHECK(done.outcome == Outcome::ok);
    }
  CHECK(searches == 2);
}
