#include <catch2/catch.hpp>
#include <sstream>

#include "input/excerpt.h"
#include "made_log.h"
#include "reading.h"
#include "story.h"
#include "transcript.h"

using namespace xtrace;

namespace {

Graph graph_of(const std::string& log) {
  return link(read_log(log), {});
}
Graph graph_of(const Transcript& session) {
  return graph_of(session.text());
}

/// The files of a folder.
Graph graph_of(const std::vector<std::pair<std::string, std::string>>& files) {
  Folder folder;
  for (const auto& [name, text] : files) folder.write(name, text);
  LoadOptions loading;
  Progress progress;
  return link(load({folder.path()}, loading, progress).value(), {});
}

const Call& call_of(const Graph& graph, std::string_view id) {
  for (const Call& call : graph.trace().calls)
    if (graph.trace()[call.id] == id) return call;
  FAIL("no call " << id);
  return graph.trace().calls.front();
}

}  // namespace

TEST_CASE("all lines of one answer are one call, and its usage counts once, by the last line") {
  Graph graph = graph_of(Transcript()
                             .user("u1", "go")
                             .answer("a1", "m1", thinks(), 3)
                             .answer("a2", "m1", uses("t1", "Read"), 3)
                             .result("r1", "t1")
                             .answer("a3", "m1", uses("t2", "Bash"), 40)
                             .result("r2", "t2")
                             .answer("a4", "m2", says("done"), 7));
  CHECK(ids_of(graph) == "req_m1 req_m2");
  CHECK(call_of(graph, "req_m1").tokens.output == 40);
  CHECK(call_of(graph, "req_m1").tokens.input == 10);
  CHECK(links_of(graph) ==
        "req_m1->req_m2 continuation 1.00\n"
        "req_m1->req_m2 tool_result 1.00 t1\n"
        "req_m1->req_m2 tool_result 1.00 t2");
}

TEST_CASE("a call begins when the last thing was said to the model and ends with its last line") {
  Graph graph = graph_of(Transcript()
                             .at(5)
                             .user("u1", "go")
                             .at(8)
                             .answer("a1", "m1", says("a"))
                             .at(9)
                             .answer("a2", "m1", says("b")));
  const Call& call = call_of(graph, "req_m1");
  CHECK(format_time({call.start, 0}) == "2026-02-01T10:00:05Z");
  CHECK(call.duration == std::chrono::seconds(4));
  CHECK(call.source.line == 2);
}

TEST_CASE("a subagent told of in its parent's lines is linked by its id") {
  Transcript session;
  session.user("u1", "go")
      .answer("a1", "m1", spawns("t1", "Explore", "look") + "," + spawns("t2", "Plan", "think"));
  session.within("t2", "bbb", "think").user("b1", "think").answer("b2", "m2", says("thought"));
  session.within("t1", "aaa", "look").user("c1", "look").answer("c2", "m3", says("seen"));
  Graph graph = graph_of(session);
  CHECK(links_of(graph, "subagent_spawn") ==
        "req_m1->req_m2 subagent_spawn 1.00 t2\n"
        "req_m1->req_m3 subagent_spawn 1.00 t1");
  CHECK(agents_of(graph) == "main: req_m1\nPlan: req_m2\nExplore: req_m3");
}

TEST_CASE("without ids a subagent is linked by what it was told to do") {
  Transcript session;
  session.user("u1", "go")
      .answer("a1", "m1", spawns("t1", "Explore", "look") + "," + spawns("t2", "Plan", "think"));
  session.within("", "", "think").user("b1", "think").answer("b2", "m2", says("thought"));
  session.within("", "", "look").user("c1", "look").answer("c2", "m3", says("seen"));
  CHECK(links_of(graph_of(session), "subagent_spawn") ==
        "req_m1->req_m2 subagent_spawn 0.99 t2\n"
        "req_m1->req_m3 subagent_spawn 0.99 t1");
}

TEST_CASE("without ids and prompts the next subagent is a guess, and the twins of it are named") {
  Transcript session;
  session.user("u1", "go")
      .answer("a1", "m1", spawns("t1", "Explore", "look") + "," + spawns("t2", "Plan", "think"));
  session.within("", "", "").user("b1", "x").answer("b2", "m2", says("seen"));
  Graph graph = graph_of(session);
  CHECK(links_of(graph, "subagent_spawn") == "req_m1->req_m2 subagent_spawn 0.45 t1");
  for (const Link& link : graph.links())
    if (link.kind == LinkKind::subagent_spawn) CHECK(graph.alternatives(link).size() == 1);
}

TEST_CASE("parallel subagents without ids keep their own tools' outputs") {
  Transcript session;
  session.user("u1", "go")
      .answer("a1", "m1", spawns("t1", "Explore", "look") + "," + spawns("t2", "Explore", "think"));
  session.within("", "", "").user("b1", "x").user("c1", "y");
  session.answer("b2", "m2", uses("t3", "Read")).answer("c2", "m3", uses("t4", "Read"));
  session.result("c3", "t4").result("b3", "t3");
  session.answer("c4", "m5", says("c")).answer("b4", "m4", says("b"));
  Graph graph = graph_of(session);
  CHECK(links_of(graph, "tool_result") ==
        "req_m3->req_m5 tool_result 1.00 t4\n"
        "req_m2->req_m4 tool_result 1.00 t3");
  // Which of the two waiting agents got the first answer is a toss.
  CHECK(links_of(graph, "continuation") ==
        "req_m3->req_m5 continuation 0.50\n"
        "req_m2->req_m4 continuation 1.00");
}

TEST_CASE("a subagent in a file of its own belongs to the session of its folder") {
  Transcript parent("S1"), agent("agent-abc");
  parent.user("u1", "go").answer("a1", "m1", spawns("t1", "Explore", "look", "Agent"));
  agent.sidechain(R"("agentId":"abc")").at(3).user("b1", "look").answer("b2", "m2", says("seen"));
  SECTION("linked by the file beside it") {
    Graph graph = graph_of({{"S1.jsonl", parent.text()},
                            {"S1/subagents/agent-abc.jsonl", agent.text()},
                            {"S1/subagents/agent-abc.meta.json",
                             R"({"agentType":"Explore","toolUseId":"t1","spawnDepth":1})"}});
    CHECK(links_of(graph, "subagent_spawn") == "req_m1->req_m2 subagent_spawn 1.00 t1");
    CHECK(sessions_of(graph) == "S1: req_m1 req_m2");
    CHECK(agents_of(graph) == "main: req_m1\nExplore: req_m2");
  }
  SECTION("linked by the id in its result") {
    parent.result("r1", "t1", R"("toolUseResult":{"agentId":"abc","totalDurationMs":900})");
    Graph graph =
        graph_of({{"S1.jsonl", parent.text()}, {"S1/subagents/agent-abc.jsonl", agent.text()}});
    CHECK(links_of(graph, "subagent_spawn") == "req_m1->req_m2 subagent_spawn 1.00 t1");
  }
  SECTION("what its parent tells of it counts once") {
    parent.within("t1", "abc", "look").at(3).user("b1", "look").answer("b2", "m2", says("seen"));
    Graph graph =
        graph_of({{"S1.jsonl", parent.text()}, {"S1/subagents/agent-abc.jsonl", agent.text()}});
    CHECK(ids_of(graph) == "req_m1 req_m2");
  }
}

TEST_CASE("sidechains of early versions are told apart by their chains and linked by prompt") {
  Transcript session;
  session.user("u1", "go")
      .answer("a1", "m1", spawns("t1", "Explore", "look") + "," + spawns("t2", "Plan", "think"));
  session.sidechain().at(9).after("-").user("b1", "think").at(9).after("-").user("c1", "look");
  session.after("b1")
      .answer("b2", "m2", says("thought"))
      .after("c1")
      .answer("c2", "m3", says("seen"));
  CHECK(links_of(graph_of(session), "subagent_spawn") ==
        "req_m1->req_m2 subagent_spawn 0.99 t2\n"
        "req_m1->req_m3 subagent_spawn 0.99 t1");
}

TEST_CASE(
    "a piece of an answer that another session has, which went back often, is a piece of it") {
  Transcript one("S1"), two("S2");
  one.user("u0", "go").answer("a0", "m0", says("so"));
  for (int i = 1; i <= 60; ++i) {
    const std::string n = std::to_string(i);
    one.after("a0").user("u" + n, "rather " + n).answer("a" + n, "m" + n, says("well"));
  }
  two.at(300).user("v1", "go on").answer("b1", "m60", says("and more"));
  two.user("v2", "go on").answer("b2", "n2", says("yes"));
  CHECK(graph_of(one.text() + two.text()).trace().calls.size() == 62);
}

TEST_CASE("a subagent in the background is linked though its tool use was answered at once") {
  Transcript session;
  session.user("u1", "go").answer("a1", "m1", spawns("t1", "Explore", "look"));
  session.result("r1", "t1",
                 R"("toolUseResult":{"isAsync":true,"status":"async_launched","agentId":"abc"})");
  session.answer("a2", "m2", says("meanwhile"));
  Transcript agent;
  agent.sidechain(R"("agentId":"abc")").at(30).user("b1", "look").answer("b2", "m3", says("seen"));
  CHECK(links_of(graph_of({{"S1.jsonl", session.text()}, {"agent-abc.jsonl", agent.text()}}),
                 "subagent_spawn") == "req_m1->req_m3 subagent_spawn 1.00 t1");
}

TEST_CASE("after a compaction the conversation goes on") {
  Transcript session;
  session.user("u1", "go").answer("a1", "m1", says("one"));
  session.after("-").line(
      "c1", "system",
      R"("subtype":"compact_boundary","logicalParentUuid":"a1","compactMetadata":{"trigger":"auto"})");
  session.with(R"("isCompactSummary":true)").user("u2", "summary").answer("a2", "m2", says("two"));
  Graph graph = graph_of(session);
  CHECK(links_of(graph) == "req_m1->req_m2 continuation 1.00");
  CHECK(graph.links()[0].rule == Rule::summary);
  CHECK(call_of(graph, "req_m2").message_count == 1);
}

TEST_CASE("leaving out old tool outputs is told, and the conversation is the same") {
  Transcript session;
  session.user("u1", "go").answer("a1", "m1", says("one"));
  session.line("c1", "system", R"("subtype":"microcompact_boundary")");
  session.user("u2", "on").answer("a2", "m2", says("two"));
  Graph graph = graph_of(session);
  CHECK(links_of(graph) == "req_m1->req_m2 continuation 1.00");
  CHECK(graph.links()[0].rule == Rule::transcript);
  CHECK(call_of(graph, "req_m2").is_pruned);
  CHECK_FALSE(call_of(graph, "req_m1").is_pruned);
  CHECK(call_of(graph, "req_m2").message_count == 3);
}

TEST_CASE("a session that takes a history along has it once") {
  Transcript first("S1"), second("S2");
  for (Transcript* session : {&first, &second})
    session->user("u1", "go").answer("a1", "m1", says("one"));
  second.user("u2", "more").answer("a2", "m2", says("two"));
  SECTION("in either order of the files") {
    for (auto [one, other] : {std::pair("a.jsonl", "b.jsonl"), std::pair("b.jsonl", "a.jsonl")}) {
      Graph graph = graph_of({{one, first.text()}, {other, second.text()}});
      CHECK(sessions_of(graph) == "S1: req_m1\nS2: req_m2");
      CHECK(links_of(graph) == "req_m1->req_m2 continuation 1.00");
    }
  }
}

TEST_CASE("a prompt that goes back to an earlier answer branches off there") {
  Transcript session;
  session.user("u1", "go").answer("a1", "m1", says("one"));
  session.user("u2", "left").answer("a2", "m2", says("two"));
  session.after("a1").user("u3", "right").answer("a3", "m3", says("three"));
  CHECK(links_of(graph_of(session)) ==
        "req_m1->req_m2 continuation 1.00\n"
        "req_m1->req_m3 continuation 1.00");
}

TEST_CASE("where a parent is missing, a line goes on with what stands before it") {
  Transcript session;
  session.user("u1", "go").answer("a1", "m1", says("one"));
  session.after("nowhere").user("u2", "more").answer("a2", "m2", says("two"));
  CHECK(links_of(graph_of(session)) == "req_m1->req_m2 continuation 1.00");
}

TEST_CASE("parents that form a circle do not stop anyone") {
  Transcript session;
  session.sidechain();
  session.after("b2").user("b1", "x").after("b1").answer("b2", "m1", says("y"));
  session.after("s2").line("s1", "system").after("s1").line("s2", "system");
  session.after("s1").user("b3", "z").answer("b4", "m2", says("w"));
  CHECK(graph_of(session).trace().calls.size() == 2);
}

TEST_CASE("an attempt that failed is retried by the call that got an answer") {
  Transcript session;
  session.user("u1", "go");
  session.line("e1", "system", R"("subtype":"api_error","error":{"status":529},"retryAttempt":1)");
  session.answer("a1", "m1", says("one"));
  Graph graph = graph_of(session);
  CHECK(ids_of(graph) == "e1 req_m1");
  CHECK(links_of(graph) == "e1->req_m1 retry 1.00 attempt 2");
  CHECK(graph.trace()[call_of(graph, "e1").error] == "http_529");
}

TEST_CASE("an error that the client writes in place of an answer is a failed call") {
  Transcript session;
  session.user("u1", "go");
  session.raw(
      R"({"parentUuid":"u1","sessionId":"S1","type":"assistant","uuid":"a1","isApiErrorMessage":true,)"
      R"("timestamp":"2026-02-01T10:00:05.000Z","message":{"id":"x","model":"<synthetic>",)"
      R"("role":"assistant","content":[{"type":"text","text":"API Error"}],)"
      R"("usage":{"input_tokens":0,"output_tokens":0}}})");
  Graph graph = graph_of(session);
  REQUIRE(graph.trace().calls.size() == 1);
  CHECK(graph.trace().calls[0].outcome == Outcome::error);
  CHECK(graph.trace().calls[0].tokens == Tokens{});
  CHECK_FALSE(graph.trace().calls[0].model);
  CHECK(graph.trace().calls[0].duration == kNoDuration);  // what passed was no model's time
}

TEST_CASE("an interrupted tool use leaves the conversation whole") {
  Transcript session;
  session.user("u1", "go").answer("a1", "m1", uses("t1", "Bash"));
  session.user("u2", "[Request interrupted by user for tool use]").user("u3", "do it otherwise");
  session.answer("a2", "m2", says("fine"));
  CHECK(links_of(graph_of(session)) == "req_m1->req_m2 continuation 1.00");
}

TEST_CASE("two objects on one line are two records") {
  std::string text = Transcript().user("u1", "go").answer("a1", "m1", says("one")).text();
  text.pop_back();
  Trace trace = read_log(text + R"({"type":"summary","summary":"s","leafUuid":"a1"})"
                                "");
  CHECK(trace.sources[0].records == 3);
  CHECK(trace.calls.size() == 1);
  CHECK(complaints_of(trace).empty());
}

TEST_CASE("lines that say nothing are read and counted") {
  Transcript session;
  session.raw(R"({"type":"file-history-snapshot","messageId":"x","snapshot":{}})");
  session.raw(R"({"type":"queue-operation","operation":"enqueue","sessionId":"S1"})");
  session.user("u1", "go");
  session.line("s1", "attachment", R"("attachment":{"type":"hook_success"})");
  session.answer("a1", "m1", says("one"));
  Trace trace = read_log(session.text());
  CHECK(trace.sources[0].records == 5);
  CHECK(complaints_of(trace).empty());
  CHECK(trace.sources[0].format == "claude-code");
}

TEST_CASE("a type of line that no version had yet is read by who says what") {
  Transcript session;
  session.user("u1", "go").line("x1", "new-kind", R"("text":"?")");
  session.line(
      "a1", "thought",
      R"("message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"x"}]})");
  Trace trace = read_log(session.text());
  CHECK(trace.sources[0].records == 3);
  CHECK(trace.calls.size() == 1);
  CHECK(complaints_of(trace).empty());
}

TEST_CASE("lines that share an id and say different things are different lines") {
  Transcript session;
  session.user("x", "go")
      .answer("x", "m1", says("one"))
      .user("x", "more")
      .answer("x", "m2", says("two"));
  Graph graph = graph_of(session);
  CHECK(ids_of(graph) == "req_m1 req_m2");
  CHECK(graph.trace().sources[0].copies == 0);
}

TEST_CASE("a subagent whose tool use lost its id is guessed by its type") {
  Transcript parent("S1"), agent("S1");
  parent.user("u1", "go")
      .raw(
          R"({"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"S1","timestamp":"2026-02-01T10:00:01.000Z",)"
          R"("requestId":"r1","message":{"role":"assistant","content":[{"type":"tool_use","name":"Task","input":{"subagent_type":"Explore"}}]}})");
  agent.sidechain(R"("agentId":"abc")").at(3).user("b1", "look").answer("b2", "m2", says("seen"));
  Graph graph = graph_of({{"S1.jsonl", parent.text()},
                          {"S1/subagents/agent-abc.jsonl", agent.text()},
                          {"S1/subagents/agent-abc.meta.json", R"({"agentType":"Explore"})"}});
  CHECK(links_of(graph, "subagent_spawn") == "r1->req_m2 subagent_spawn 0.95");
}

TEST_CASE("turns of stream-json belong to the session that the first one names") {
  Graph graph = graph_of(
      R"([{"type":"system","subtype":"init","session_id":"S9"},)"
      R"({"type":"assistant","message":{"id":"m1","model":"m","content":[)" +
      spawns("t1", "Explore", "look") +
      R"(]}},{"type":"user","parent_tool_use_id":"t1","message":{"content":[{"type":"text","text":"look"}]}},)"
      R"({"type":"assistant","parent_tool_use_id":"t1","message":{"id":"m2","content":[{"type":"text","text":"x"}]}},)"
      R"({"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"x"}]}},)"
      R"({"type":"assistant","message":{"id":"m3","content":[{"type":"text","text":"end"}]}},)"
      R"({"type":"result","total_cost_usd":0.03}])");
  CHECK(sessions_of(graph) == "S9: m1 m2 m3");
  CHECK(links_of(graph, "subagent_spawn") == "m1->m2 subagent_spawn 1.00 t1");
  CHECK(links_of(graph, "tool_result") == "m1->m3 tool_result 1.00 t1");
}

TEST_CASE("a transcript cut into pieces is the same as a whole one") {
  Transcript session;
  session.user("u1", "go").answer("a1", "m1", spawns("t1", "Explore", "look"));
  session.within("t1", "aaa", "look").user("b1", "look").answer("b2", "m2", uses("t2", "Read"));
  session.result("b3", "t2").answer("b4", "m3", says("seen"));
  LoadOptions pieces;
  pieces.piece_bytes = 100;
  pieces.jobs = 3;
  CHECK(links_of(link(read_log(session.text(), pieces), {})) == links_of(graph_of(session)));
}

TEST_CASE("a transcript whose lines something has shuffled tells the same calls") {
  Transcript session;
  session.user("u1", "go")
      .answer("a1", "m1", spawns("t1", "Explore", "look"), 3)
      .answer("a2", "m1", uses("t2", "Read"), 40);
  session.at(20).result("r1", "t1").result("r2", "t2").answer("a3", "m3", says("done"), 7);
  Transcript subagent;
  subagent.sidechain(R"("agentId":"aaa")")
      .at(4)
      .user("b1", "look")
      .answer("b2", "m2", says("seen"), 9);
  std::string log = session.text() + subagent.text();
  Graph whole = graph_of(log);
  std::istringstream text(log);
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line + "\n");
  for (uint32_t seed = 1; seed <= 40; ++seed) {
    std::string mixed;
    for (const std::string& line : shuffled(lines, seed)) mixed += line;
    INFO(mixed);
    Graph graph = graph_of(mixed);
    CHECK(links_of(graph) == links_of(whole));
    CHECK(call_of(graph, "req_m1").tokens.output == 40);
    CHECK(call_of(graph, "req_m1").duration == call_of(whole, "req_m1").duration);
  }
}

TEST_CASE("where each line stands behind the one it follows, a clock that goes back moves none") {
  Graph graph = graph_of(Transcript()
                             .at(20)
                             .user("u1", "go")
                             .at(21)
                             .answer("a1", "m1", uses("t1", "Read"))
                             .at(10)
                             .result("r1", "t1")
                             .at(11)
                             .answer("a2", "m2", says("done")));
  CHECK(links_of(graph, "continuation") == "req_m1->req_m2 continuation 0.99");
  CHECK(call_of(graph, "req_m2").source.line == 4);
}

TEST_CASE("lines that follow one another in a circle are all read") {
  Graph graph = graph_of(Transcript()
                             .after("a2")
                             .user("u1", "go")
                             .answer("a1", "m1", says("one"))
                             .answer("a2", "m2", says("two")));
  CHECK(ids_of(graph) == "req_m1 req_m2");
}

TEST_CASE("at level full a call shows what was asked and all pieces of its answer") {
  Folder folder;
  Transcript session;
  session.user("u1", "where is it?")
      .answer("a1", "m1", says("here"))
      .answer("a2", "m1", says("or there"));
  LoadOptions loading;
  Progress progress;
  Trace trace = load({folder.write("s.jsonl", session.text())}, loading, progress).value();
  Excerpt excerpt = Excerpts(trace).of(trace.calls[0]);
  CHECK(excerpt.prompt == "where is it?");
  CHECK(excerpt.answer == "here\nor there");
}

TEST_CASE("a result of Claude Code fails by its mark or its note, too") {
  const auto fails = [](const std::string& content, const std::string& more = "") {
    const Trace trace = read_log(
        R"({"type":"assistant","uuid":"a1","sessionId":"s","timestamp":"2026-03-01T10:00:00Z",)"
        R"("message":{"id":"m1","role":"assistant","model":"m","content":[{"type":"tool_use",)"
        R"("id":"t1","name":"Read","input":{}}]}})"
        "\n"
        R"({"type":"user","uuid":"u1","sessionId":"s","timestamp":"2026-03-01T10:00:02Z","message":)"
        R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":)" +
        content + "}]}" + more + "}\n");
    REQUIRE_FALSE(trace.tool_results.empty());
    return trace.tool_results.back().is_error;
  };
  CHECK(fails(R"("<tool_use_error>File does not exist.</tool_use_error>")"));
  CHECK(fails(R"([{"type":"text","text":"<tool_use_error>no</tool_use_error>"}])"));
  CHECK(fails(R"("Exit code 1")", R"(,"toolUseResult":"Error: Exit code 1")"));
  CHECK_FALSE(fails(R"("Error: is what the file says")", R"(,"toolUseResult":{"stdout":""})"));
}
