#include <algorithm>
#include <catch2/catch.hpp>

#include "link/activities/call_turns.h"
#include "link/graph/graph.h"
#include "reading.h"
#include "reread.h"
#include "transcript.h"

using namespace xtrace;

namespace {

Graph graph_of_turns(const Transcript& session) {
  return link(read_log(session.text()), {});
}

uint32_t last_turn(const Transcript& session) {
  return turns_of_calls(graph_of_turns(session)).back().number;
}

}  // namespace

TEST_CASE("words begin a turn if the log says that a person wrote them, not if a program did") {
  Transcript session;
  session.user("u1", "go").answer("a1", "m1", says("one"));
  session.with(R"("origin":{"kind":"human"})").user("u2", "on").answer("a2", "m2", says("two"));
  CHECK(last_turn(session) == 2);
  session.with(R"("origin":{"kind":"task-notification"})").user("u3", "a task is done");
  session.answer("a3", "m3", says("three"));
  CHECK(last_turn(session) == 2);
}

TEST_CASE("words that a printed log or a team marks as a program's begin no turn") {
  Transcript session;
  session.user("u1", "go").answer("a1", "m1", says("one"));
  SECTION("the client's") {
    session.with(R"("isSynthetic":true)").user("u2", "a hook has failed");
  }
  SECTION("another agent's") {
    session.user("u2", R"(<teammate-message teammate_id=\"scout\">found</teammate-message>)");
  }
  session.answer("a2", "m2", says("two"));
  CHECK(last_turn(session) == 1);
}

TEST_CASE("what a request held says nothing that was not said before") {
  Transcript session;
  session.user("u1", "go");
  session.raw(
      R"({"type":"api-request-blob","sessionId":"S1","hash":"h","message":{"role":"user","content":"go"}})");
  session.answer("a1", "m1", says("one"));
  session.raw(
      R"({"type":"api-request-blob","sessionId":"S1","hash":"i","message":{"role":"assistant","content":"one"}})");
  CHECK(graph_of_turns(session).trace().calls.size() == 1);
}

TEST_CASE("bookkeeping that names no session is read and says nothing") {
  const Trace trace = read_log(
      Transcript().user("u1", "go").answer("a1", "m1", says("one")).text() +
      R"({"type":"fork-context-ref","agentId":"a","parentSessionId":"S1","contextLength":2})"
      "\n"
      R"({"type":"speculation-accept","timestamp":"2026-02-01T10:00:09Z","timeSavedMs":100})"
      "\n");
  CHECK(trace.complaints.empty());
  CHECK(trace.sources.front().records == 4);
}

TEST_CASE("a launch is a record of a workflow's journal, and of nothing else") {
  const std::string launch = "{\"type\":\"launched\"}\n";
  CHECK(read_log(launch + R"({"type":"started","key":"v2:79","agentId":"fff1"})"
                          "\n")
            .sources.front()
            .records == 2);
  CHECK(read_log(launch).sources.front().records == 0);
}

TEST_CASE("a tool that was not let run is told by the kind of denial, whatever the words") {
  const auto error_of = [](const std::string& kind) {
    Transcript session;
    session.user("u1", "go").answer("a1", "m1", uses("t1", "Bash"));
    session.line("r1", "user",
                 R"("toolDenialKind":")" + kind +
                     R"(","message":{"role":"user","content":[{"type":"tool_result",)"
                     R"("tool_use_id":"t1","content":"No.","is_error":true}]})");
    const Trace trace = read_log(session.answer("a2", "m2", says("so")).text());
    return trace.tool_results.empty() ? ToolError::none : trace.tool_results.front().error;
  };
  CHECK(error_of("permission-rule") == ToolError::denied);
  CHECK(error_of("user-rejected") == ToolError::denied);
  CHECK(error_of("interrupted") == ToolError::cancelled);
  CHECK(error_of("cancelled") == ToolError::cancelled);
}

TEST_CASE("a client that says for how long it waits asks again after that") {
  Transcript session;
  session.user("u1", "go");
  session.at(5).line("e1", "system", R"("subtype":"api_error","retryInMs":2500.5)");
  session.at(10).answer("a1", "m1", says("one"));
  const Trace trace = read_log(session.text());
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace.calls[0].duration == std::chrono::seconds(5));
  CHECK(trace.calls[1].start - trace.calls[0].start == std::chrono::microseconds(7'500'500));
  CHECK(trace.calls[1].duration == std::chrono::microseconds(2'499'500));
}

TEST_CASE("what a user says meanwhile is asked at once") {
  Transcript session;
  session.user("u1", "go");
  session.at(5).line("e1", "system", R"("subtype":"api_error","retryInMs":60000)");
  session.at(7).user("u2", "go on").at(70).answer("a1", "m1", says("one"));
  const Trace trace = read_log(session.text());
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace.calls[1].start - trace.calls[0].start == std::chrono::seconds(7));
}

TEST_CASE("a file that names a subagent started none, whatever its words") {
  const std::string named = R"("toolUseResult":{"agentId":"a1f8104","prompt":"look"})";
  Transcript session;
  session.user("u1", "go").answer("a1", "m1", uses("t1", "Read"));
  session.raw(
      R"({"parentUuid":"a1","sessionId":"S1","type":"user","uuid":"r1",)"
      R"("timestamp":"2026-02-01T10:00:03.000Z","message":{"role":"user","content":[{"type":)"
      R"("tool_result","tool_use_id":"t1","content":"x\nagentId: a1f8104"}]}})");
  session.at(4).answer("a2", "m2", spawns("t2", "Explore", "look")).at(9).result("r2", "t2", named);
  session.answer("a3", "m3", says("done"));
  session.sidechain(R"("agentId":"a1f8104")");
  session.at(5).after("").user("s1", "look").answer("s2", "m4", says("seen"));
  const Graph graph = graph_of_turns(session);
  std::vector<std::string> spawned;
  for (const Link& link : graph.links())
    if (link.kind == LinkKind::subagent_spawn)
      spawned.emplace_back(graph.trace()[graph.trace()[link.from].id]);
  CHECK(spawned == std::vector<std::string>{"req_m2"});
}

TEST_CASE("what a user says while the model works is told, and begins a turn") {
  const auto turn_behind = [](const std::string& attached) {
    Transcript session;
    session.user("u1", "go").answer("a1", "m1", uses("t1", "Bash")).result("r1", "t1");
    session.line("q1", "attachment", R"("attachment":{"type":"queued_command",)" + attached + "}");
    return last_turn(session.answer("a2", "m2", says("two")));
  };
  CHECK(turn_behind(R"("prompt":"and that","commandMode":"prompt","origin":{"kind":"human"})") ==
        2);
  CHECK(turn_behind(R"("prompt":[{"type":"text","text":"and that"}],"commandMode":"prompt")") == 2);
  CHECK(turn_behind(R"("prompt":"and that","commandMode":"prompt","origin":{"kind":"peer"})") == 1);
  CHECK(turn_behind(R"("prompt":"and that","commandMode":"prompt","isMeta":true)") == 1);
  CHECK(turn_behind(R"("prompt":"a command is done","commandMode":"task-notification")") == 1);
}

TEST_CASE("what a user says while the model works is what the next call was asked") {
  Transcript session;
  session.user("u1", "go").answer("a1", "m1", uses("t1", "Bash")).result("r1", "t1");
  session.line(
      "q1", "attachment",
      R"("attachment":{"type":"queued_command","prompt":"and that","commandMode":"prompt"})");
  Folder folder;
  Progress progress;
  const std::string path = folder.write("s.jsonl", session.answer("a2", "m2", says("two")).text());
  const Trace trace = load({path}, {}, progress).value();
  CHECK(Excerpts(trace).of(trace.calls[1]).prompt == "and that");
}

TEST_CASE("attempts in a stream that tells no prompt are of the agent whose answer came") {
  const auto printed = [](const char* uuid, const char* more) {
    return std::string(R"({"session_id":"S1","uuid":")") + uuid + "\"," + more + "}\n";
  };
  const char* retry = R"("type":"system","subtype":"api_retry","error":"overloaded")";
  const Graph graph =
      link(read_log(printed("i1", R"("type":"system","subtype":"init","model":"m")") +
                    printed("e1", retry) + printed("e2", retry) +
                    printed("a1", R"("type":"assistant","message":{"id":"m1","role":"assistant",)"
                                  R"("model":"m","content":[{"type":"text","text":"hi"}]})")),
           {});
  CHECK(graph.trace().calls.size() == 3);
  CHECK(graph.agents().size() == 1);
  CHECK(std::count_if(graph.links().begin(), graph.links().end(),
                      [](const Link& link) { return link.kind == LinkKind::retry; }) == 2);
}

TEST_CASE("a thread that is begun anew is still that of one agent") {
  Transcript session;
  session.user("u1", "go");
  session.line("e1", "system", R"("subtype":"api_error","error":{"status":529})");
  session.after("").user("u2", "do it").answer("a1", "m1", uses("t1", "Bash"));
  const Graph graph = graph_of_turns(session.result("r1", "t1").answer("a2", "m2", says("done")));
  CHECK(graph.trace().calls.size() == 3);
  CHECK(graph.agents().size() == 1);
}

TEST_CASE("advice that a model had from another is a call of that one's, and counts once") {
  const auto piece = [](const char* uuid, const char* after, const std::string& block) {
    return std::string(R"({"type":"assistant","sessionId":"S1","uuid":")") + uuid +
           R"(","parentUuid":")" + after +
           R"(","timestamp":"2026-01-01T10:00:05Z","requestId":"r1",)"
           R"("message":{"id":"m1","role":"assistant","model":"small","content":[)" +
           block +
           R"(],"usage":{"input_tokens":10,"output_tokens":5,"iterations":[)"
           R"({"type":"message","input_tokens":4,"output_tokens":2},)"
           R"({"type":"advisor_message","model":"large","input_tokens":100,"output_tokens":50},)"
           R"({"type":"message","input_tokens":6,"output_tokens":3}]}}})"
           "\n";
  };
  Transcript session;
  session.user("u1", "go");
  session.raw(
      piece("a1", "u1", R"({"type":"server_tool_use","id":"s1","name":"advisor","input":{}})") +
      piece("a2", "a1", says("as it says")));
  session.after("a2").user("u2", "on").answer("a3", "m2", says("done"));
  const Graph graph = graph_of_turns(session);
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() == 3);
  CHECK(graph.agents().size() == 1);
  size_t large = 0;
  for (const Call& call : trace.calls) {
    if (trace[call.model] == "small")
      CHECK(call.tokens == Tokens{.input = 10, .output = 5, .most_sent = 6});
    if (trace[call.model] != "large") continue;
    ++large;
    CHECK(call.tokens == Tokens{.input = 100, .output = 50});
  }
  CHECK(large == 1);
  CHECK(last_turn(session) == 2);
}

TEST_CASE("a prompt of Claude Code that follows itself is asked once") {
  const auto line = [](int second, const std::string& more) {
    return R"({"parentUuid":"u","uuid":"u","sessionId":"S","timestamp":"2026-01-01T10:00:0)" +
           std::to_string(second) + "Z\"," + more + "}\n";
  };
  const auto turn = [&](int second, const std::string& id) {
    return line(second, R"("type":"user","message":{"role":"user","content":")" + id + "\"}") +
           line(second + 1, R"("type":"assistant","message":{"id":")" + id +
                                R"(","role":"assistant","model":"m","content":[]})");
  };
  const Trace trace = read_log(turn(0, "one") + turn(2, "two"));
  REQUIRE(trace.calls.size() == 2);
  for (const Call& call : trace.calls) CHECK(call.message_count == 1);
}

TEST_CASE("what early versions say an answer cost, it cost") {
  Graph graph = graph_of_turns(Transcript()
                                   .user("u1", "go")
                                   .with(R"("costUSD":0.0512)")
                                   .answer("a1", "m1", thinks())
                                   .with(R"("costUSD":0.0512)")
                                   .answer("a2", "m1", says("done"))
                                   .user("u2", "on")
                                   .with(R"("costUSD":0)")
                                   .answer("a3", "m2", says("done")));
  CHECK(graph.trace().calls[0].cost == 51'200'000);
  CHECK(graph.trace().calls[1].cost == kNoCount);  // nobody gave it away
}
