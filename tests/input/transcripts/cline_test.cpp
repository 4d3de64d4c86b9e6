#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "by_line.h"
#include "cline_task.h"
#include "reading.h"
#include "reread.h"
#include "usage_world.h"

using namespace xtrace;

namespace {

using Json = nlohmann::json;

}  // namespace

TEST_CASE("what Cline sent and what it showed are one session, and each call of it counts once") {
  Folder folder;
  Task task(folder);
  task.sends(0, "user", Task::text("look")).sends(3, "assistant", Task::use("u1"));
  task.sends(4, "user", Task::result("u1")).sends(9, "assistant", Task::text("done"));
  task.shows(0, "task", "look").requests(1, 100, 0.5);
  task.shows(2, "tool", Json{{"tool", "readFile"}}).requests(5, 200, 0.25);
  task.shows(9, "completion_result", "done").write();
  const Graph graph = graph_of_tasks(folder);
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace[trace.calls[0].session] == "t1");
  CHECK(trace.calls[0].tokens == Tokens{.input = 100, .output = 5, .cache_read = 0});
  CHECK(trace.calls[0].cost == 500'000'000);
  CHECK(trace.calls[1].tokens.input == 200);
  REQUIRE(graph.links().size() == 2);
  CHECK(graph.links()[0].rule == Rule::tool_use_id);
  CHECK(Excerpts(trace).of(trace.calls[0]).prompt == "look");
}

TEST_CASE("a tool that Cline showed has its own arguments, and not those of the request") {
  Folder folder;
  Task task(folder);
  task.shows(0, "task", "look").requests(1, 100, 0.5, {{"request", "<task>a secret</task>"}});
  task.shows(2, "reasoning", R"({"thought":"another"})");
  task.shows(3, "tool", Json{{"tool", "readFile"}, {"path", "a.cpp"}}).write();
  const Graph graph = graph_of_tasks(folder);
  REQUIRE(graph.trace().calls.size() == 1);
  const Excerpt excerpt = Excerpts(graph.trace()).of(graph.trace().calls[0]);
  REQUIRE(excerpt.tool_arguments.size() == 1);
  CHECK(excerpt.tool_arguments[0].json == R"({"path":"a.cpp","tool":"readFile"})");
}

TEST_CASE("an attempt that Cline showed to have failed is a call, told once") {
  Folder folder;
  Task task(folder);
  task.sends(0, "user", Task::text("look")).sends(9, "assistant", Task::text("done"));
  task.requests(1, 0, 0, {{"cancelReason", "streaming_failed"}});
  task.shows(2, "api_req_failed", "overloaded", "ask");
  task.shows(3, "error_retry", Json{{"errorMessage", R"({"code":"ECONNRESET"})"}});
  task.requests(4, 100, 0.5).write();
  const Graph graph = graph_of_tasks(folder);
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() == 3);
  std::multiset<std::string> errors;
  for (const Call& call : trace.calls)
    if (call.outcome == Outcome::error) errors.emplace(trace[call.error]);
  CHECK(errors == std::multiset<std::string>{"ECONNRESET", "streaming_failed"});
}

TEST_CASE("a request that the user stopped half-way keeps what it used up") {
  Folder folder;
  Task task(folder);
  task.sends(0, "user", Task::text("look")).sends(3, "assistant", Task::text("I l"));
  task.requests(1, 100, 0.5, {{"cancelReason", "user_cancelled"}}).write();
  const Graph graph = graph_of_tasks(folder);
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace.calls[0].outcome == Outcome::error);
  CHECK(trace[trace.calls[0].error] == "aborted");
  CHECK(trace.calls[0].tokens.input == 100);
}

TEST_CASE("what was shown makes the calls where nothing else is on record") {
  Folder folder;
  Task task(folder);
  task.shows(0, "text", "look").requests(1, 100, 0.5).shows(2, "text", "I look");
  task.shows(2, "tool", Json{{"tool", "readFile"}}, "ask").requests(5, 200, 0);
  task.shows(6, "text", "done").shows(9, "user_feedback", "more").requests(10, 0, 0).write();
  const Graph graph = graph_of_tasks(folder);
  const Trace& trace = graph.trace();
  CHECK(trace.sources.front().format == "roo-code");
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace.calls[0].tokens.input == 100);
  CHECK(trace.calls[1].cost == kNoCount);
  const Excerpt first = Excerpts(trace).of(trace.calls[0]);
  CHECK(first.prompt == "look");
  CHECK(first.answer == "I look");
  REQUIRE(trace.tool_uses.size() > 0);
  CHECK(trace[trace.tool_uses.back().name] == "readFile");
  CHECK_FALSE(trace.tool_uses.back().id);
}

TEST_CASE(
    "the input that Roo Code shows has the cache in it, but with Anthropic only since 3.29.5") {
  constexpr int kBefore = -5'400'000;  // 31 October 2025
  Folder folder;
  Task old(folder, "t0"), task(folder);
  const auto with = [](const char* protocol, int cached) {
    return nlohmann::json{{"apiProtocol", protocol}, {"cacheReads", cached}};
  };
  old.requests(kBefore, 100, 0.5, with("anthropic", 40));
  old.requests(kBefore + 1, 100, 0.5, with("openai", 40)).write();
  task.requests(1, 100, 0.5, with("openai", 40));
  task.requests(2, 100, 0.5, with("anthropic", 40));
  task.requests(3, 100, 0.5, with("anthropic", 400)).write();  // not all have the newest version
  const Graph graph = graph_of_tasks(folder);
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() == 5);
  CHECK(trace.calls[0].tokens == Tokens{.input = 100, .output = 5, .cache_read = 40});
  CHECK(trace.calls[1].tokens == Tokens{.input = 60, .output = 5, .cache_read = 40});
  CHECK(trace.calls[2].tokens == Tokens{.input = 60, .output = 5, .cache_read = 40});
  CHECK(trace.calls[3].tokens == Tokens{.input = 60, .output = 5, .cache_read = 40});
  CHECK(trace.calls[4].tokens == Tokens{.input = 100, .output = 5, .cache_read = 400});
}

TEST_CASE("the input that Cline shows has the cache in it where its provider counts so") {
  Folder folder;
  Task task(folder);
  task.requests(1, 100, 0.5, {{"cacheReads", 40}}).of("anthropic");
  task.requests(2, 100, 0.5, {{"cacheReads", 40}}).of("openai");
  task.requests(3, 100, 0.5, {{"cacheReads", 40}}).of("openai-native").write();
  const Graph graph = graph_of_tasks(folder);
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() == 3);
  CHECK(trace.calls[0].tokens.input == 100);
  CHECK(trace.calls[1].tokens.input == 60);
  CHECK(trace.calls[2].tokens.input == 100);
}

TEST_CASE("a task that Roo Code started is a subagent of the tool use that started it") {
  Folder folder;
  Task parent(folder, "t1"), child(folder, "t2");
  parent.sends(0, "user", Task::text("plan")).sends(3, "assistant", Task::use("n1", "new_task"));
  parent.sends(20, "user", Task::result("n1")).sends(25, "assistant", Task::text("done"));
  parent.write();
  child.sends(4, "user", Task::text("measure")).sends(18, "assistant", Task::text("20 cm"));
  child.write();
  Json item = {{"id", "t1"}, {"number", 1}, {"task", "plan"}, {"tokensIn", 1}};
  SECTION("where both tell it") {
    item["childIds"] = {"t2"};
    parent.notes(item);
    child.notes(
        {{"id", "t2"}, {"parentTaskId", "t1"}, {"number", 2}, {"task", "m"}, {"tokensIn", 1}});
    const Graph graph = graph_of_tasks(folder);
    CHECK(graph.links().size() == 4);  // with what the subagent gave back
    CHECK(std::count_if(graph.links().begin(), graph.links().end(), [](const Link& link) {
            return link.kind == LinkKind::subagent_spawn && link.rule == Rule::agent_id;
          }) == 1);
  }
  SECTION("not where a start is missing") {
    item["childIds"] = {"t2", "t3"};
    parent.notes(item);
    const Graph graph = graph_of_tasks(folder);
    for (const Call& call : graph.trace().calls) CHECK_FALSE(call.spawned_by);
  }
}

TEST_CASE("agents of Cline without messages of their own are told by what they used up") {
  Folder folder;
  Task task(folder);
  task.requests(1, 100, 0.5);
  const Json agent = {
      {"index", 0}, {"inputTokens", 900}, {"outputTokens", 80}, {"totalCost", 0.25}};
  task.shows(2, "subagent", Json{{"status", "running"}, {"items", {agent}}});
  task.shows(3, "subagent", Json{{"status", "completed"}, {"items", {agent}}}).write();
  const Graph graph = graph_of_tasks(folder);
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace.calls[1].outcome == Outcome::ok);  // it represents all that the agent asked
  CHECK(trace.calls[1].tokens == Tokens{.input = 900, .output = 80});
  CHECK(trace.calls[1].cost == 250'000'000);
}

TEST_CASE("counts that Cline shows when a request is done are the request's") {
  Folder folder;
  Task task(folder);
  task.shows(0, "task", "look").shows(1, "api_req_started", Json{{"request", "…"}});
  task.shows(2, "text", "I look");
  task.shows(3, "api_req_finished", Json{{"tokensIn", 10}, {"tokensOut", 4}, {"cost", 0.5}});
  task.write();
  const Graph graph = graph_of_tasks(folder);
  REQUIRE(graph.trace().calls.size() == 1);
  CHECK(graph.trace().calls[0].tokens == Tokens{.input = 10, .output = 4});
  CHECK(graph.trace().calls[0].cost == 500'000'000);
}

TEST_CASE("an attempt that failed within a request goes before the one that was answered") {
  Folder folder;
  Task task(folder);
  task.shows(0, "task", "look").requests(1, 100, 0.5);
  task.shows(3, "error_retry", Json{{"errorMessage", "ETIMEDOUT"}});
  task.shows(6, "error_retry", Json{{"errorMessage", "ETIMEDOUT"}});
  task.shows(9, "text", "I look").write();
  const Graph graph = graph_of_tasks(folder);
  const Trace& trace = graph.trace();
  std::vector<Duration> took;
  for (const CallId id : graph.timeline().in_order()) took.push_back(trace[id].duration);
  using std::chrono::seconds;
  REQUIRE(took.size() == 3);
  CHECK(took[0] == seconds(2));
  CHECK(took[1] == seconds(3));
  CHECK(took[2] == seconds(3));
  CHECK(trace[graph.timeline().in_order().back()].outcome == Outcome::ok);
  size_t retries = 0;
  for (const Link& link : graph.links()) retries += link.kind == LinkKind::retry ? 1 : 0;
  CHECK(retries == 2);
}

TEST_CASE("what a command puts out is read by the request behind it, as far as order tells") {
  Folder folder;
  Task task(folder);
  task.shows(0, "task", "check").requests(1, 100, 0.5).shows(2, "command", "make", "ask");
  task.shows(3, "command_output", "cc a.c", "ask").shows(4, "command_output", "cc b.c");
  task.requests(5, 200, 0.5).shows(6, "completion_result", "done").write();
  const Graph graph = graph_of_tasks(folder);
  REQUIRE(graph.trace().calls.size() == 2);
  std::string results;
  for (const Link& link : graph.links())
    if (link.kind == LinkKind::tool_result)
      results += fmt::format("{} {}", word(link.rule), confidence(link));
  CHECK(results == "transcript 0.9");
  CHECK(graph.orphans().empty());
}

TEST_CASE("of two commands that nothing was put out by so far nobody knows whose an output is") {
  Folder folder;
  Task task(folder);
  task.shows(0, "task", "check").requests(1, 100, 0.5).shows(2, "command", "make", "ask");
  task.shows(3, "command", "make test").shows(4, "command_output", "all passed");
  task.requests(5, 200, 0.5).shows(6, "completion_result", "done").write();
  const Graph graph = graph_of_tasks(folder);
  REQUIRE(graph.trace().calls.size() == 2);
  for (const Link& link : graph.links()) CHECK(link.kind != LinkKind::tool_result);
  for (const ToolUse& use : graph.trace().tool_uses) CHECK_FALSE(use.id);
  CHECK(graph.orphans().empty());
}

TEST_CASE("two commands that Cline showed in one millisecond are two, each with its output") {
  Folder folder;
  Task task(folder);
  task.shows(0, "task", "check").requests(1, 100, 0.5);
  task.shows(2, "command", "make", "ask").shows(2, "command_output", "cc a.c", "ask");
  task.shows(2, "command", "make test").shows(2, "command_output", "all passed");
  task.requests(5, 200, 0.5).shows(6, "completion_result", "done").write();
  const Graph graph = graph_of_tasks(folder);
  REQUIRE(graph.trace().calls.size() == 2);
  size_t results = 0;
  for (const Link& link : graph.links()) results += link.kind == LinkKind::tool_result ? 1 : 0;
  CHECK(results == 2);
  CHECK(graph.activities().tools_of(CallId(0)).size() == 2);
  CHECK(graph.orphans().empty());
  const std::vector<ToolArguments> given =
      Excerpts(graph.trace()).of(graph.trace()[CallId(0)]).tool_arguments;
  const std::vector<const ToolUse*> uses = graph.tool_uses_of(CallId(0));
  REQUIRE(uses.size() == 2);
  CHECK(arguments_of(given, graph.trace()[uses[0]->id], 0) == "make");
  CHECK(arguments_of(given, graph.trace()[uses[1]->id], 1) == "make test");
}

TEST_CASE("a copy of a task that ends before a command's output leaves the output to the other") {
  Folder folder;
  for (const char* name : {"a", "b"}) {
    Task task(folder, name);
    task.shows(0, "task", "check").requests(1, 100, 0.5).shows(2, "command", "make", "ask");
    if (*name == 'a') task.shows(3, "command_output", "cc a.c", "ask");
    task.requests(5, 200, 0.5).shows(6, "completion_result", name).write();
  }
  size_t results = 0;
  const Graph graph = graph_of_tasks(folder);
  for (const Link& link : graph.links()) results += link.kind == LinkKind::tool_result ? 1 : 0;
  CHECK(results == 1);
  CHECK(graph.orphans().empty());
}

TEST_CASE("outputs that Cline showed say nothing more where the results were sent") {
  Folder folder;
  Task task(folder);
  task.sends(0, "user", Task::text("check")).sends(3, "assistant", Task::use("u1"));
  task.sends(6, "user", Task::result("u1")).sends(9, "assistant", Task::text("done"));
  task.shows(0, "task", "check").requests(1, 100, 0.5).shows(4, "command", "make", "ask");
  task.shows(5, "command_output", "cc").requests(7, 200, 0.5).write();
  const Graph graph = graph_of_tasks(folder);
  REQUIRE(graph.trace().calls.size() == 2);
  REQUIRE(graph.links().size() == 2);
  CHECK(graph.links()[0].rule == Rule::tool_use_id);
}

TEST_CASE("a task that Roo Code shows to have started another one is told what that gave") {
  Folder folder;
  Task parent(folder, "t1"), child(folder, "t2");
  parent.shows(0, "text", "plan").requests(1, 100, 0.5);
  parent.shows(3, "tool", Json{{"tool", "newTask"}, {"content", "measure"}}, "ask");
  parent.shows(20, "subtask_result", "20 cm").requests(21, 200, 0.5);
  parent.shows(25, "completion_result", "done").write();
  child.shows(4, "text", "measure").requests(5, 50, 0.5).shows(9, "completion_result", "20 cm");
  child.write();
  parent.notes({{"id", "t1"}, {"number", 1}, {"task", "p"}, {"tokensIn", 1}, {"childIds", {"t2"}}});
  child.notes(
      {{"id", "t2"}, {"parentTaskId", "t1"}, {"number", 2}, {"task", "measure"}, {"tokensIn", 1}});
  const Graph graph = graph_of_tasks(folder);
  size_t spawns = 0, results = 0;
  for (const Link& link : graph.links()) {
    spawns += link.kind == LinkKind::subagent_spawn ? 1 : 0;
    results += link.kind == LinkKind::tool_result ? 1 : 0;
  }
  CHECK(spawns == 1);
  CHECK(results == 1);
  CHECK(graph.orphans().empty());
}

TEST_CASE("what Cline deleted is the task's, and what a summary cost a call's") {
  Folder folder;
  Task task(folder);
  task.shows(0, "task", "look").requests(1, 100, 0.5).shows(2, "text", "I look");
  task.shows(3, "deleted_api_reqs", Json{{"tokensIn", 70}, {"tokensOut", 3}, {"cost", 0.25}});
  task.condenses(4, 0.125).requests(5, 200, 0.5).shows(9, "completion_result", "done").write();
  const Graph graph = graph_of_tasks(folder);
  const Trace& trace = graph.trace();
  REQUIRE(trace.usage_statements.size() == 1);
  CHECK(trace.usage_statements[0].cost == 250'000'000);
  CHECK(trace.usage_statements[0].form == UsageStatement::Form::rest);
  REQUIRE(graph.sessions().size() == 1);
  CHECK(tokens_beyond_calls(graph).input == 70);
  REQUIRE(trace.calls.size() == 3);
  const auto summary = std::ranges::find_if(trace.calls, &Call::sums_up);
  REQUIRE(summary != trace.calls.end());
  CHECK(summary->cost == 125'000'000);
}

TEST_CASE("what a task of Roo Code cost is known where its requests are not") {
  const bool has_requests = GENERATE(true, false);
  Folder folder;
  Task task(folder);
  if (has_requests) task.shows(0, "text", "look").requests(1, 100, 0.5).shows(2, "text", "I look");
  task.sends(0, "user", Task::text("look")).sends(2, "assistant", Task::text("I look")).write();
  task.notes({{"id", "t1"},
              {"number", 1},
              {"task", "look"},
              {"tokensIn", 100},
              {"tokensOut", 5},
              {"totalCost", 0.5}});
  const Graph graph = graph_of_tasks(folder);
  const Trace& trace = graph.trace();
  CHECK(trace.usage_statements.size() == (has_requests ? 0 : 1));
  if (has_requests) return;
  CHECK(trace.usage_statements[0].cost == 500'000'000);
  CHECK(trace.usage_statements[0].tokens == Tokens{.output = 5});
}

TEST_CASE("messages that Cline sent count what went through a cache beside the prompt") {
  Folder folder;
  Task task(folder);
  task.sends(0, "user", Task::text("look")).sends(3, "assistant", Task::text("done"));
  task.counts({{"tokens", {{"prompt", 500}, {"completion", 12}, {"cached", 300}}}, {"cost", 0}});
  task.write();
  const Graph graph = graph_of_tasks(folder);
  REQUIRE(graph.trace().calls.size() == 1);
  CHECK(graph.trace().calls[0].tokens == Tokens{.input = 500, .output = 12, .cache_read = 300});
  CHECK(graph.trace().calls[0].cost == kNoCount);
}

TEST_CASE("an attempt that failed is not the answer that came behind it in the other file") {
  Folder folder;
  Task task(folder);
  task.sends(0, "user", Task::text("look")).sends(9, "assistant", Task::text("done"));
  task.shows(0, "text", "look").requests(1, 50, 0.5).shows(2, "text", "I");
  task.requests(3, 0, 0, {{"cancelReason", "streaming_failed"}}).requests(6, 60, 0.5);
  task.shows(8, "completion_result", "done").write();
  const Graph graph = graph_of_tasks(folder);
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() == 3);
  const Call& last = trace[graph.timeline().in_order().back()];
  CHECK(last.outcome == Outcome::ok);
  CHECK_FALSE(last.error);
  CHECK(last.duration == std::chrono::seconds(3));
}

TEST_CASE("an agent of Cline that failed is a call that failed, of the tool use that started it") {
  Folder folder;
  Task task(folder);
  task.sends(0, "user", Task::text("look")).sends(3, "assistant", Task::use("q1", "use_subagents"));
  task.sends(9, "user", Task::result("q1"))
      .sends(12, "assistant", Task::use("q2", "use_subagents"));
  task.sends(19, "user", Task::result("q2")).sends(22, "assistant", Task::text("done"));
  const auto agent = [](int index, const char* status) {
    return Json{{"index", index}, {"status", status}, {"inputTokens", 900}, {"totalCost", 0.25}};
  };
  const auto shows = [&](int second, const Json& items) {
    task.shows(second, "subagent", Json{{"status", "completed"}, {"items", items}});
  };
  shows(4, {agent(0, "completed"), agent(1, "failed")});
  shows(13, Json::array({agent(0, "completed")}));
  shows(25, Json::array({agent(0, "completed")}));  // none was at work
  task.write();
  const Graph graph = graph_of_tasks(folder);
  const Trace& trace = graph.trace();
  std::multiset<std::string> told;
  for (const Call& call : trace.calls)
    if (call.in_subagent)
      told.insert(std::string(trace[call.spawned_by]) + " " + std::string(word(call.outcome)));
  CHECK(told == std::multiset<std::string>{" ok", "q1 error", "q1 ok", "q2 ok"});
}

namespace {

/// Without times, as older versions sent it.
std::string undated(const char* first) {
  return Json{
      {{"role", "user"}, {"content", {Task::text(first)}}},
      {{"role", "assistant"},
       {"content", {Task::text("<read_file>\n<path>a.py</path>\n</read_file>")}}},
      {{"role", "user"},
       {"content", {Task::text("[read_file for 'a.py'] Result:"), Task::text("print(1)")}}},
      {{"role", "assistant"}, {"content", {Task::text("done")}}},
  }
      .dump();
}

}  // namespace

TEST_CASE("messages without a time are Cline's where one of them is in its words") {
  Folder folder;
  folder.write("t1/api_conversation_history.json", undated("<task>\nlook\n</task>"));
  const Graph graph = graph_of_tasks(folder);
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace[trace.calls[0].session] == "t1");
  CHECK(Excerpts(trace).of(trace.calls[0]).prompt == "<task>\nlook\n</task>");
  CHECK(Excerpts(trace).of(trace.calls[1]).answer == "done");
  REQUIRE(std::ranges::count(graph.links(), LinkKind::tool_result, &Link::kind) == 1);
  Folder other;
  other.write("t1/api_conversation_history.json", undated("look"));
  CHECK(graph_of_tasks(other).trace().calls.empty());
}

TEST_CASE("messages without a time are told when they were by as many requests that were shown") {
  Folder folder;
  Task task(folder);
  task.shows(0, "task", "look").requests(1, 100, 0.5);
  task.shows(3, "tool", Json{{"tool", "readFile"}, {"path", "a.py"}}).requests(4, 200, 0.25);
  task.shows(6, "completion_result", "done");
  SECTION("which are its calls") {
    task.write();
    folder.write("tasks/t1/api_conversation_history.json", undated("<task>\nlook\n</task>"));
    const Graph graph = graph_of_tasks(folder);
    const Trace& trace = graph.trace();
    REQUIRE(trace.calls.size() == 2);
    CHECK(trace.calls[0].cost == 500'000'000);
    CHECK(trace.calls[0].duration == std::chrono::seconds(2));
    CHECK(trace.calls[1].cost == 250'000'000);
    CHECK(trace.calls[1].start - trace.calls[0].start == std::chrono::seconds(3));
    CHECK(Excerpts(trace).of(trace.calls[0]).prompt == "<task>\nlook\n</task>");
    CHECK(std::ranges::count(graph.links(), LinkKind::tool_result, &Link::kind) == 1);
  }
  SECTION("and count for nothing where there are more or fewer") {
    task.requests(7, 300, 0.125).shows(8, "text", "more").write();
    folder.write("tasks/t1/api_conversation_history.json", undated("<task>\nlook\n</task>"));
    const Graph graph = graph_of_tasks(folder);
    CHECK(graph.trace().calls.size() == 3);
    CHECK_THAT(complaints_of(graph.trace()), Catch::Contains("messages without times"));
  }
}
