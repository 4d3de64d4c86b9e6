#include "link/calls/merge_records.h"

#include <catch2/catch.hpp>

#include "input/load.h"
#include "link/graph/graph.h"
#include "made_log.h"
#include "reading.h"
#include "story.h"
#include "transcript.h"

using namespace xtrace;

namespace {

/// A transcript that kept the first count of the first answer, and a log with one call more.
Graph two_logs() {
  Folder folder;
  folder.write("a.jsonl", Transcript()
                              .user("u1", "go")
                              .answer("a1", "m1", uses("t1", "Read"), 3)
                              .result("r1", "t1")
                              .answer("a2", "m2", says("done"), 40)
                              .text());
  CallStory log;
  log.call("req_m1").without_time().tokens(10, 300);
  log.call("req_m2").without_time().tokens(10, 40);
  log.call("req_m3").without_time().after("req_m2").tokens(10, 50);
  folder.write("b.jsonl", log.log());
  LoadOptions loading;
  Progress progress;
  return link(load({folder.path()}, loading, progress).value(), {});
}

const Call& call_named(const Graph& graph, std::string_view name) {
  for (const Call& call : graph.trace().calls)
    if (graph.trace()[call.id] == name) return call;
  FAIL("no call " << name);
  return graph.trace().calls.front();
}

/// As a client and a proxy have it.
Trace one_call_in_two_logs() {
  Folder folder;
  folder.write("a.jsonl",
               Transcript().user("u1", "go").answer("a1", "m1", says("done"), 40).text());
  CallStory log;
  log.call("req_m1").tokens(10, 300);
  folder.write("b.jsonl", log.log());
  Progress progress;
  return load({folder.path()}, {}, progress).value();
}

}  // namespace

TEST_CASE("a call that two logs tell of is one, with the transcript's row and the plain name") {
  Graph graph = two_logs();
  CHECK(graph.trace().calls.size() == 3);
  CHECK(call_named(graph, "req_m1").in_transcript);
  CHECK(call_named(graph, "req_m2").in_transcript);
  CHECK_FALSE(call_named(graph, "req_m3").in_transcript);
  REQUIRE(graph.trace().other_records.size() == 2);
  for (const OtherRecord& other : graph.trace().other_records) CHECK(other.at.file == 1);
}

TEST_CASE("of two records of a call the tokens are those of the one that knows the last count") {
  Graph graph = two_logs();
  CHECK(call_named(graph, "req_m1").tokens.output == 300);
  CHECK_FALSE(call_named(graph, "req_m1").output_is_low);
  CHECK(call_named(graph, "req_m2").tokens.output == 40);
}

TEST_CASE("what follows in the one log follows what the other log's row stands for") {
  Graph graph = two_logs();
  const Trace& trace = graph.trace();
  int followed = 0;
  for (const Link& link : graph.links()) {
    if (trace[trace[link.to].id] != "req_m3") continue;
    ++followed;
    CHECK(trace[trace[link.from].id] == "req_m2");
  }
  CHECK(followed == 1);
}

TEST_CASE("agents and sessions of two logs of the same calls are not counted twice") {
  Graph graph = two_logs();
  size_t calls = 0;
  for (const Conversation& conversation : graph.conversations()) calls += conversation.calls.size();
  CHECK(calls == 3);
}

TEST_CASE("two calls of one name stay two, where they are more than a minute apart") {
  Trace trace = one_call_in_two_logs();
  for (Call& call : trace.calls)
    if (!call.in_transcript) call.start = after(trace.calls.front().start, std::chrono::hours(9));
  Graph graph = link(std::move(trace), {});
  CHECK(graph.trace().calls.size() == 2);
  CHECK(graph.trace().other_records.empty());
}

TEST_CASE("two calls with a name of our own stay two, where one failed and the other did not") {
  Trace trace = one_call_in_two_logs();
  const bool fails = GENERATE(true, false);
  for (Call& call : trace.calls) {
    call.id = trace.strings.intern("call-1");
    call.start = trace.calls.front().start;
    if (!call.in_transcript && fails) call.outcome = Outcome::error;
  }
  const Graph graph = link(std::move(trace), {});
  CHECK(graph.trace().calls.size() == (fails ? 2 : 1));
}
