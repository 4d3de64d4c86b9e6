#include "view/calls/deduplicate_calls.h"

#include <catch2/catch.hpp>

#include "input/load.h"
#include "made_log.h"
#include "reading.h"
#include "story.h"
#include "transcript.h"
#include "view/calls/spending.h"

using namespace xtrace;

namespace {

Selection all_of(const Graph& graph) {
  Selection selection;
  selection.calls.assign(graph.trace().calls.size(), true);
  for (uint32_t i = 0; i < graph.links().size(); ++i) selection.links.push_back(i);
  return selection;
}

std::string shown(const Graph& graph, const Selection& selection) {
  std::string names;
  for (CallId id : graph.timeline().in_order())
    if (selection.shows(id))
      names += (names.empty() ? "" : " ") + std::string(graph.trace()[graph.trace()[id].id]);
  return names;
}

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

}  // namespace

TEST_CASE("a call that two logs tell of is shown once, as the transcript has it") {
  Graph graph = two_logs();
  REQUIRE(graph.trace().calls.size() == 5);
  Selection selection = all_of(graph);
  deduplicate_calls(graph, selection);
  int transcripts = 0, calls = 0;
  for (CallId id : graph.timeline().in_order()) {
    if (!selection.shows(id)) continue;
    ++calls;
    transcripts += graph.timeline()[id].in_transcript;
  }
  CHECK(calls == 3);
  CHECK(transcripts == 2);
  CHECK(selection.hidden.nodes == 0);
}

TEST_CASE("of two records of a call the tokens are those of the one that knows the last count") {
  Graph graph = two_logs();
  Selection selection = all_of(graph);
  deduplicate_calls(graph, selection);
  Spending spending(graph, selection);
  CHECK(spending.total().tokens.output == 300 + 40 + 50);
  CHECK(spending.total().low == 0);
}

TEST_CASE("links of a record that is not shown are those of the one that stands for it") {
  Graph graph = two_logs();
  Selection selection = all_of(graph);
  deduplicate_calls(graph, selection);
  const Trace& trace = graph.trace();
  int taken_over = 0;
  for (uint32_t i : selection.links) {
    const Link& link = graph.links()[i];
    CallId from = selection.standing(link.from);
    CHECK(selection.shows(from));
    if (trace[trace[link.to].id] != "req_m3") continue;
    ++taken_over;  // that follows in the log; what it follows is shown as the transcript has it
    CHECK(trace[trace[from].id].starts_with("req_m2"));
    CHECK(trace[from].in_transcript);
    CHECK_FALSE(trace[link.from].in_transcript);
  }
  CHECK(taken_over == 1);
}

TEST_CASE("where one record of a call is filtered out, the other one is shown") {
  Graph graph = two_logs();
  Selection selection = all_of(graph);
  for (size_t i = 0; i < selection.calls.size(); ++i)
    selection.calls[i] = !graph.timeline()[CallId(i)].in_transcript;
  selection.links.clear();
  deduplicate_calls(graph, selection);
  CHECK(shown(graph, selection).find("req_m1") != std::string::npos);
  CHECK(std::count(selection.calls.begin(), selection.calls.end(), true) == 3);
}
