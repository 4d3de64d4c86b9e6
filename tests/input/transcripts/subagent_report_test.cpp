#include <algorithm>
#include <catch2/catch.hpp>

#include "input/excerpt.h"
#include "reading.h"
#include "story.h"
#include "transcript.h"

using namespace xtrace;

namespace {

Graph ended_in(const std::string& log) {
  return link(read_log(log), {});
}

const Call& ended_call(const Graph& graph, std::string_view id) {
  for (const Call& call : graph.trace().calls)
    if (graph.trace()[call.id] == id) return call;
  FAIL("no call " << id);
  return graph.trace().calls.front();
}

}  // namespace

TEST_CASE("a subagent of which only the report is there is a call that is not recorded") {
  Transcript session;
  session.user("u1", "go").answer("a1", "m1", spawns("t1", "Explore", "look"));
  session.at(60).result(
      "r1", "t1", R"("toolUseResult":{"agentId":"abc","totalDurationMs":30000,"totalTokens":5})");
  session.answer("a2", "m2", says("done"));
  Graph graph = ended_in(session.text());
  CHECK(ids_of(graph) == "req_m1 agent-abc req_m2");
  CHECK(links_of(graph, "subagent_spawn") == "req_m1->agent-abc subagent_spawn 1.00 t1");
  const Call& agent = ended_call(graph, "agent-abc");
  CHECK(agent.outcome == Outcome::unrecorded);
  CHECK(agent.duration == std::chrono::seconds(30));
  CHECK(ended_call(graph, "agent-abc").tokens == Tokens{});
}

TEST_CASE("the answer that a subagent ended with may stand in its parent's record alone") {
  const auto ended = [](const std::string& usage) {
    return R"("toolUseResult":{"agentId":"abc","totalDurationMs":9000,"totalToolUseCount":1,)"
           R"("content":[{"type":"text","text":"it is here"}],"usage":{)" +
           usage + "}}";
  };
  const std::string usage = R"("input_tokens":11,"output_tokens":70)";
  Transcript parent, steps, end;
  parent.user("u1", "go").answer("a1", "m1", spawns("t1", "Explore", "look"));
  steps.within("t1", "abc", "look");
  steps.at(2).user("b1", "look").answer("b2", "m2", uses("t2", "Read")).result("b3", "t2");
  end.at(20).after("a1");
  const auto log = [&] { return parent.text() + steps.text() + end.text(); };

  SECTION("it is a call of the subagent, which read the outputs of its tools") {
    end.result("r1", "t1", ended(usage)).answer("a2", "m3", says("so"));
    Folder folder;
    LoadOptions loading;
    Progress progress;
    const Graph graph = link(load({folder.write("s.jsonl", log())}, loading, progress).value(), {});
    REQUIRE(graph.trace().calls.size() == 4);
    const Call& last = graph.trace().calls[2];
    const std::string id(graph.trace()[last.id]);
    CHECK(agents_of(graph) == "main: req_m1 req_m3\nExplore: req_m2 " + id);
    CHECK(last.tokens.input == 11);
    CHECK(last.tokens.output == 70);
    CHECK_FALSE(last.output_is_low);
    CHECK(graph.trace()[last.model] == "claude-m");
    CHECK(last.outcome == Outcome::ok);
    CHECK(last.source.line == 6);
    CHECK(format_time({last.start, 0}) == "2026-02-01T10:00:04Z");
    CHECK(format_time({last.end(), 0}) == "2026-02-01T10:00:20Z");
    CHECK(links_of(graph, "tool_result") ==
          "req_m2->" + id + " tool_result 1.00 t2\nreq_m1->req_m3 tool_result 1.00 t1");
    CHECK(links_of(graph, "subagent_report") == id + "->req_m3 subagent_report 1.00 t1");
    CHECK(Excerpts(graph.trace()).of(last).answer == "it is here");
  }
  SECTION("its output is low where only the first count of the stream is told") {
    end.result("r1", "t1", ended(R"("input_tokens":11,"output_tokens":1)"));
    CHECK(ended_in(log()).trace().calls[2].output_is_low);
  }
  SECTION("where the subagent's own answer is there, that is it") {
    steps.at(19).answer("b4", "m4", says("it is here"), 2);
    end.result("r1", "t1", ended(usage));
    CHECK(ids_of(ended_in(log())) == "req_m1 req_m2 req_m4");
  }
  SECTION("of one whose log has but the first count of output, it has the last") {
    steps.at(19).answer("b4", "m4", says("it is here"), 2);
    end.result("r1", "t1", ended(R"("input_tokens":10,"output_tokens":70)"));
    const Graph graph = ended_in(log());
    CHECK(ids_of(graph) == "req_m1 req_m2 req_m4");
    CHECK(ended_call(graph, "req_m4").tokens.output == 70);
    CHECK_FALSE(ended_call(graph, "req_m4").output_is_low);
  }
  SECTION("it is found as it is printed, too, with its words") {
    std::string printed = end.result("r1", "t1", ended(usage)).text();
    printed.replace(printed.find("toolUseResult"), 13, "tool_use_result");
    Folder folder;
    Progress progress;
    const std::string path = folder.write("s.jsonl", parent.text() + steps.text() + printed);
    const Trace trace = load({path}, {}, progress).value();
    REQUIRE(trace.calls.size() == 3);
    CHECK(Excerpts(trace).of(trace.calls[2]).answer == "it is here");
  }
  SECTION("a record without a time comes behind the subagent's own") {
    std::string untimed = end.result("r1", "t1", ended(usage)).text();
    const std::string time = R"("timestamp":"2026-02-01T10:00:20.000Z",)";
    REQUIRE(untimed.find(time) != std::string::npos);
    untimed.erase(untimed.find(time), time.size());
    CHECK(ended_in(parent.text() + steps.text() + untimed).trace().calls.size() == 3);
  }
  SECTION("a copy of the session under other ids of lines ended with the same answer") {
    end.result("r1", "t1", ended(usage)).answer("a2", "m3", says("so"));
    Transcript copy("S2");
    copy.at(60).user("C1", "go").answer("C2", "m1", spawns("t1", "Explore", "look"));
    copy.within("t1", "abc", "look").user("C3", "look").answer("C4", "m2", uses("t2", "Read"));
    copy.result("C5", "t2");
    Transcript copied_end("S2");
    copied_end.at(80).after("C2").result("C6", "t1", ended(usage));
    const Graph graph = ended_in(log() + copy.text() + copied_end.text());
    const std::vector<Call>& calls = graph.trace().calls;
    CHECK(std::count_if(calls.begin(), calls.end(),
                        [](const Call& call) { return call.tokens.output == 70; }) == 1);
  }
  SECTION("where that is dated later than the end, too") {
    steps.at(21).answer("b4", "m4", says("it is here"), 2);
    end.result("r1", "t1", ended(usage));
    CHECK(ids_of(ended_in(log())) == "req_m1 req_m2 req_m4");
  }
  SECTION("one that was stopped after it had asked for tools said no more") {
    end.result("r1", "t1", ended(R"("input_tokens":10,"output_tokens":2)"));
    CHECK(ids_of(ended_in(log())) == "req_m1 req_m2");
  }
  SECTION("one that is told of twice ended once") {
    end.result("r1", "t1", ended(usage)).result("r2", "t1", ended(usage));
    CHECK(ended_in(log()).trace().calls.size() == 3);
  }
  SECTION("one that goes on later ended twice") {
    end.result("r1", "t1", ended(usage));
    end.within("t3", "abc", "more").user("c1", "more").answer("c2", "m5", uses("t4", "Read"));
    Transcript again;
    again.at(40).after("r1").result("r3", "t3", ended(R"("input_tokens":30,"output_tokens":80)"));
    const Graph graph = ended_in(log() + again.text());
    REQUIRE(graph.trace().calls.size() == 5);
    CHECK(graph.trace().calls[2].tokens.input == 11);
    CHECK(graph.trace().calls[4].tokens.input == 30);
  }
  SECTION("no model is known where the subagent had several") {
    steps.raw(R"({"type":"progress","uuid":"p","sessionId":"S1","parentToolUseID":"t1",)"
              R"("timestamp":"2026-02-01T10:00:10.000Z","data":{"type":"agent_progress",)"
              R"("agentId":"abc","message":{"type":"assistant","uuid":"b5","requestId":"req_m6",)"
              R"("timestamp":"2026-02-01T10:00:10.000Z","message":{"id":"m6","role":"assistant",)"
              R"("model":"claude-n","content":[)" +
              uses("t5", "Read") + R"(],"usage":{"input_tokens":1,"output_tokens":1}}}}})");
    end.result("r1", "t1", ended(usage));
    const Graph graph = ended_in(log());
    REQUIRE(graph.trace().calls.size() == 4);
    CHECK_FALSE(graph.trace().calls[3].model);
  }
  SECTION("of one that nothing else tells of, no call is made up") {
    end.result("r1", "t1", ended(usage));
    const Graph graph = ended_in(parent.text() + end.text());
    CHECK(ids_of(graph) == "req_m1 agent-abc");
    CHECK(ended_call(graph, "agent-abc").tokens == Tokens{});
  }
}
