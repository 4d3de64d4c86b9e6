#include <catch2/catch.hpp>

#include "by_line.h"
#include "input/transcripts/rollout.h"

using namespace xtrace;
using Json = nlohmann::json;

namespace {

/// Two calls of the thread that others are forked from.
Rollout& works(Rollout& log, const std::string& child = {}) {
  log.said("user", "dig").uses("c1", "spawn_agent", "{}").counted(100, 100, 0, 5);
  log.gives("c1", child.empty() ? "none" : R"({"agent_id":")" + child + "\"}");
  return log.said("assistant", "dug").counted(300, 200, 0, 7);
}

Rollout forked(int start, const char* id, const char* from) {
  Rollout log(start);
  log.line("session_meta", {{"id", id}, {"source", "cli"}, {"forked_from_id", from}});
  return log;
}

Rollout& goes_on(Rollout& log, int all = 700) {
  return log.said("user", "sow").said("assistant", "sown").counted(all, 400, 0, 9);
}

}  // namespace

TEST_CASE("what a fork of Codex took over counts once, whichever file is read first") {
  const int start = GENERATE(10, 40);  // dated as the parent's lines, or anew
  const bool has_heading = GENERATE(true, false), is_first = GENERATE(true, false);
  Rollout parent, fork = forked(start, "f", "p");
  works(parent.opens("p"));
  if (has_heading) fork.opens("p");
  goes_on(works(fork));
  const Graph graph = graph_of(is_first ? std::vector{fork.text(), parent.text()}
                                        : std::vector{parent.text(), fork.text()});
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() == 3);
  int64_t sent = 0;
  for (const Call& call : trace.calls) sent += call.tokens.input;
  CHECK(sent == 700);
  CHECK(trace.sources[is_first ? 0 : 1].copies == 6);
  const Call& own = trace.calls[is_first ? 0 : 2];
  CHECK(trace[own.session] == "f");
  REQUIRE(own.previous);
  CHECK(trace[trace[own.previous].session] == "p");
  CHECK(trace[own.previous].tokens.output == 7);
}

TEST_CASE("a fork of Codex whose parent is not on record stays whole") {
  Rollout fork = forked(10, "f", "p");
  goes_on(works(fork));
  CHECK(graph_of({fork.text()}).trace().calls.size() == 3);
}

TEST_CASE("of a fork of Codex whose parent is not on record only its own part counts") {
  // The copy bears the time at which it was made.
  const bool has_heading = GENERATE(true, false), is_subagent = GENERATE(true, false);
  Rollout parent;
  works(has_heading ? parent.opens("p") : parent);
  std::string copied = parent.text();
  for (size_t at = 0; (at = copied.find("\"timestamp\":\"", at)) != std::string::npos; ++at)
    copied.replace(at, 34, R"("timestamp":"2026-01-01T10:00:40.123Z")");
  Json meta = {{"id", "f"}, {"source", "cli"}, {"forked_from_id", "p"}};
  if (is_subagent) meta["source"] = spawned("p", "scout");
  Rollout heading(40), own(50);
  heading.line("session_meta", meta);
  goes_on(own);
  const Graph graph = graph_of({heading.text() + copied + own.text()});
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() == 1);
  CHECK(trace.calls[0].tokens.input == 400);
  CHECK(trace.calls[0].message_count == 1);
  CHECK(complaints_of(trace).find("records copied from the forked session") != std::string::npos);
}

TEST_CASE("what a fork of Codex says as its parent did later is its own") {
  Rollout parent, fork = forked(40, "f", "p");
  goes_on(works(parent.opens("p")));
  works(fork).said("user", "sow").said("assistant", "not yet").counted(800, 500, 0, 9);
  const Graph graph = graph_of({parent.text(), fork.text()});
  REQUIRE(graph.trace().calls.size() == 4);
  const Call& own = graph.trace().calls.back();
  CHECK(graph.trace()[own.session] == "f");
  CHECK(own.places == 2);  // it was asked, and answered
}

TEST_CASE("a fork of Codex that leaves out some of what it took over counts it once, too") {
  Rollout parent, fork = forked(40, "f", "p");
  works(parent.opens("p"));
  goes_on(fork.said("user", "dig").said("assistant", "dug").counted(300, 200, 0, 7));
  CHECK(graph_of({parent.text(), fork.text()}).trace().calls.size() == 3);
}

TEST_CASE("a fork of a fork of Codex counts what it took over from either once") {
  const bool has_middle = GENERATE(true, false);
  Rollout parent, middle = forked(20, "f", "p"), last = forked(33, "g", "f");
  works(parent.opens("p"));
  goes_on(works(middle.opens("p")));
  last.line("session_meta", {{"id", "f"}, {"forked_from_id", "p"}}).opens("p");
  goes_on(works(last));
  last.said("user", "reap").said("assistant", "reaped").counted(1600, 900, 0, 9);
  const Graph graph = graph_of(has_middle ? std::vector{last.text(), middle.text(), parent.text()}
                                          : std::vector{last.text(), parent.text()});
  CHECK(graph.trace().calls.size() == 4);
  for (const Call& call : graph.trace().calls)
    if (call.tokens.input == 900) {
      CHECK(graph.trace()[call.session] == "g");
      REQUIRE(call.previous);
      CHECK(graph.trace()[call.previous].tokens.input == 400);
    }
}

TEST_CASE("a subagent of Codex is the one's who started it, and no fork's of that") {
  Rollout parent, child(20), fork = forked(40, "f", "p");
  works(parent.opens("p"), "k");
  child.opens("k", spawned("p", "digger")).said("user", "in").said("assistant", "out");
  goes_on(works(fork, "k"));
  const Graph graph = graph_of({fork.text(), parent.text(), child.text()});
  REQUIRE(graph.trace().calls.size() == 4);
  for (const Call& call : graph.trace().calls)
    if (call.in_subagent) CHECK(graph.trace()[call.session] == "p");
}

TEST_CASE("a subagent of Codex that begins with a copy of its parent's history has its own calls") {
  Rollout parent, child(40);
  parent.opens("p");
  parent.said("user", "dig").said("assistant", "dug").counted(300, 300, 0, 7);
  nlohmann::json meta = {{"id", "k"}, {"source", spawned("p", "digger")}, {"forked_from_id", "p"}};
  child.line("session_meta", meta).opens("p");
  goes_on(child.said("user", "dig").said("assistant", "dug").counted(300, 300, 0, 7));
  const Graph graph = graph_of({parent.text(), child.text()});
  REQUIRE(graph.trace().calls.size() == 2);
  CHECK(graph.trace().calls.back().in_subagent);
  CHECK(graph.trace()[graph.trace().calls.back().agent] == "k");
}

TEST_CASE("a fork that copied nothing may be asked and answer what its parent was") {
  Rollout parent, fork = forked(40, "f", "p");
  goes_on(works(parent.opens("p")));
  goes_on(fork, 900).said("user", "reap").said("assistant", "reaped").counted(950, 0, 0, 3);
  CHECK(graph_of({parent.text(), fork.text()}).trace().calls.size() == 5);
}

TEST_CASE("forks of forks take over what is on record, however many there are") {
  std::vector<std::string> logs;
  Rollout first;
  logs.push_back(works(first.opens("t0")).text());
  for (int i = 1; i < 120; ++i) {
    const std::string id = "t" + std::to_string(i), from = "t" + std::to_string(i - 1);
    Rollout fork = forked(10, id.c_str(), from.c_str());
    logs.push_back(works(fork).text());
  }
  CHECK(graph_of(logs).trace().calls.size() == 2);
}

TEST_CASE("a fork of Codex took over from a parent however many copies of its file there are") {
  Rollout parent, longer, fork = forked(40, "f", "p");
  works(parent.opens("p"));
  goes_on(works(longer.opens("p")));
  goes_on(works(fork), 800);
  const std::string once = parent.text(), whole = longer.text();
  const Graph graph = graph_of({once, once, fork.text(), once, whole, whole});
  const Trace& trace = graph.trace();
  REQUIRE(trace.calls.size() == 4);
}
