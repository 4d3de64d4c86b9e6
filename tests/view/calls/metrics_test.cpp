#include "view/calls/metrics.h"

#include <catch2/catch.hpp>

#include "story.h"

using namespace xtrace;
using namespace std::chrono_literals;

namespace {

Selection all_of(const Graph& graph) {
  Selection selection;
  selection.calls.assign(graph.trace().calls.size(), true);
  for (uint32_t i = 0; i < graph.links().size(); ++i) selection.links.push_back(i);
  return selection;
}

/// Where a filter leaves one call.
Selection one_of(const Graph& graph, std::string_view name) {
  Selection selection;
  for (const Call& call : graph.trace().calls)
    selection.calls.push_back(graph.trace()[call.id] == name);
  selection.hidden.nodes = static_cast<int64_t>(selection.calls.size()) - 1;
  return selection;
}

/// The metrics of a story, by the names of its calls.
class Measured {
 public:
  explicit Measured(CallStory& story)
      : graph_(story.graph()), metrics_(measure(graph_, all_of(graph_))) {}
  Measured(CallStory& story, std::string_view only)
      : graph_(story.graph()), metrics_(measure(graph_, one_of(graph_, only))) {}
  const Metrics* operator->() const { return &metrics_; }
  bool on_path(std::string_view name) const { return metrics_.path.is_on_path[find(name).index]; }
  Duration slack(std::string_view name) const { return metrics_.path.slack[find(name).index]; }
  Duration part(PathPart of) const { return metrics_.path.parts[static_cast<size_t>(of)]; }
  const Metrics::Of& operator[](std::string_view name) const {
    return metrics_.of[find(name).index];
  }
  std::string path() const {
    std::string text;
    for (CallId id : metrics_.path.calls)
      text += (text.empty() ? "" : " ") + std::string(graph_.trace()[graph_.trace()[id].id]);
    return text;
  }
  Duration below(std::string_view name) const {
    return elapsed(graph_.trace()[find(name)].start, (*this)[name].last_end);
  }

 private:
  CallId find(std::string_view name) const {
    for (CallId id : graph_.timeline().in_order())
      if (graph_.trace()[graph_.timeline()[id].id] == name) return id;
    throw std::invalid_argument(std::string(name));
  }
  const Graph& graph_;
  Metrics metrics_;
};

}  // namespace

TEST_CASE("depth is the number of links in the longest chain") {
  CallStory story;
  story.call("a").uses("t1", "Read");
  story.call("b").after("a").reads("t1");
  story.call("c").after("b");
  story.call("x");
  Measured metrics(story);
  CHECK(metrics->depth == 2);  // two links lead from a to b, but side by side
  CHECK(metrics->tool_results == 1);
  CHECK(metrics["b"].in_degree == 2);
  CHECK(metrics["a"].out_degree == 2);
  CHECK(metrics["x"].in_degree == 0);
}

TEST_CASE("branching is the mean number of subagents of the calls that start any") {
  CallStory story;
  story.call("p").spawns("t1", "", "one").spawns("t2", "", "two").spawns("t3", "", "three");
  story.call("c1").says("one").spawns("t4", "", "four");
  story.call("c2").says("two");
  story.call("c3").says("three");
  story.call("d").says("four");
  Measured metrics(story);
  CHECK(metrics->spawns == 4);
  CHECK(metrics->branching == 2.0);  // (3 + 1) / 2
}

TEST_CASE("descendants are the subagents spawned below, at any depth") {
  CallStory story;
  story.call("p").spawns("t1", "", "one").spawns("t2", "", "two");
  story.call("c1").says("one").uses("r1", "Read");
  story.call("c1b").after("c1").reads("r1").spawns("t3", "", "three");
  story.call("d").says("three");
  story.call("c2").says("two");
  story.call("p2").after("p").reads("t1").reads("t2");
  Measured metrics(story);
  CHECK(metrics["p"].descendants == 3);
  CHECK(metrics["c1"].descendants == 0);  // its second call spawned
  CHECK(metrics["c1b"].descendants == 1);
  CHECK(metrics["d"].descendants == 0);
  CHECK(metrics["p2"].descendants == 0);
}

TEST_CASE("a subtree lasts until the last of all that was spawned below has ended") {
  //  p |--|                     p2 |--|
  //        c |---------------|
  //             d |----|
  CallStory story;
  story.call("p").at(0).took(2).spawns("t1", "", "one");
  story.call("c").at(3).took(10).says("one").spawns("t2", "", "two");
  story.call("d").at(13.5).took(4).says("two");
  story.call("p2").at(20).took(2).after("p").reads("t1");
  Measured metrics(story);
  CHECK(metrics.below("p") == 17'500ms);
  CHECK(metrics.below("c") == 14'500ms);
  CHECK(metrics.below("d") == 4s);
  CHECK(metrics.below("p2") == 2s);
}

TEST_CASE("the critical path goes back from what ended last to what let it begin") {
  CallStory story;
  story.call("p").at(0).took(1).spawns("t1", "", "short").spawns("t2", "", "long");
  story.call("s").at(2).took(1).says("short");
  story.call("l").at(2).took(30).says("long");
  story.call("p2").at(33).took(2).after("p").reads("t1").reads("t2");
  Measured metrics(story);
  CHECK(metrics.path() == "p l p2");  // of both subagents, p2 waited for the one that ended last
  CHECK(metrics->path.took() == 35s);
  CHECK(metrics.part(PathPart::model) == 33s);
  CHECK(metrics.part(PathPart::unexplained) == 1s);  // until l began
  CHECK(metrics.part(PathPart::tool) == 1s);
  CHECK(metrics.on_path("p"));
  CHECK_FALSE(metrics.on_path("s"));
  CHECK(metrics.slack("l") == 0s);
  CHECK(metrics.slack("s") == 29s);
}

TEST_CASE("what the user thought over is no part of the critical path") {
  CallStory story;
  story.call("a").at(0).took(1);
  story.call("b").at(500).took(2).after("a").uses("t1", "Bash");
  story.call("c").at(510).took(1).after("b").reads("t1");
  Measured metrics(story);
  CHECK(metrics.path() == "a b c");
  CHECK(metrics->path.took() == 1s + 2s + 8s + 1s);
  CHECK(metrics.part(PathPart::person) == 499s);
  CHECK(metrics.part(PathPart::tool) == 8s);
}

TEST_CASE("a graph of nothing measures nothing") {
  CallStory story;
  story.garbage("{}");
  Measured metrics(story);
  CHECK(metrics->depth == 0);
  CHECK(metrics->branching == 0);
  CHECK(metrics.path() == "");
}

TEST_CASE("links against the clock make no endless chain") {
  CallStory story;
  story.call("a").at(100).uses("t1", "Read");
  story.call("b").at(50).after("a").reads("t1").uses("t2", "Read");
  story.call("c").at(150).after("b").reads("t2");
  Measured metrics(story);
  CHECK(story.clock() == "a->b\na->b");
  CHECK(metrics->depth == 2);
}

TEST_CASE("a call that ended before it began stands behind none that began later") {
  CallStory story;
  story.call("a").at(100).took(-50);
  story.call("b").at(60).took(-10);
  Measured metrics(story);
  CHECK(metrics.path() == "b a");
  CHECK(metrics->path.parts[static_cast<size_t>(PathPart::person)] == 40s);
}

TEST_CASE("slack is how much longer a call could have gone on with nothing after it any later") {
  CallStory story;
  story.call("a").at(0).took(1).spawns("t1", "Explore", "one").spawns("t2", "Explore", "two");
  story.call("fast").at(1).took(2).says("one").agent("Explore").spawned_by("t1");
  story.call("slow").at(1).took(5).says("two").agent("Explore").spawned_by("t2");
  Measured metrics(story);
  CHECK(metrics.slack("a") == 0s);
  CHECK(metrics.slack("slow") == 0s);
  CHECK(metrics.slack("fast") == 3s);
}

TEST_CASE("a call that takes a subagent's result waited for the subagent") {
  CallStory story;
  story.call("p").at(0).took(1).spawns("t1", "Explore", "one");
  story.call("sub").at(1).took(2).says("one").agent("Explore").spawned_by("t1");
  story.call("p2").at(10).took(1).after("p").reads("t1").uses("t2", "Bash");
  story.call("p3").at(100).took(1).after("p2").reads("t2");
  Measured metrics(story);
  CHECK(metrics.path() == "p sub p2 p3");
  CHECK(metrics.part(PathPart::unexplained) == 0s);
  CHECK(metrics->path.took() == 101s);
  CHECK(metrics.slack("sub") == 0s);
}

TEST_CASE("the parts of a critical path add up to the time from its start to its end") {
  CallStory story;
  story.call("a").at(0).took(3).uses("t1", "Bash");
  story.call("b").at(10).took(2).after("a").reads("t1");
  story.call("c").at(60).took(5).after("b");
  Measured metrics(story);
  CHECK(metrics->path.took() + metrics.part(PathPart::person) == 65s);
}

TEST_CASE("a filter does not change what a session waited for") {
  CallStory story;
  story.call("a").at(0).took(3).uses("t1", "Bash");
  story.call("b").at(10).took(2).after("a").reads("t1").uses("t2", "Bash");
  story.call("c").at(60).took(5).after("b").reads("t2");
  Measured all(story), one(story, "b");
  CHECK(one.path() == "a b c");
  CHECK(one->path.parts == all->path.parts);
  CHECK(one.part(PathPart::unexplained) == 0s);
}
