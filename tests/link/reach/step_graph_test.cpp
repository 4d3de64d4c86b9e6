#include "link/reach/step_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <string>

#include "hop_story.h"
#include "story.h"

using namespace xtrace;

namespace {

StepGraph steps_of(const Graph& graph) {
  std::vector<uint32_t> links(graph.links().size());
  std::iota(links.begin(), links.end(), 0);
  return steps_of_calls(graph, std::vector<bool>(graph.trace().calls.size(), true), links);
}

std::string name(const Graph& graph, const GraphStep& step) {
  const Trace& trace = graph.trace();
  if (step.kind == GraphStep::Kind::hop) return graph.joined_hops().name_of(trace, step.hop);
  return std::string(trace[step.kind == GraphStep::Kind::call ? trace[step.call].id : step.use]);
}

/// `p->t1 tool_use asked`, a line each, in alphabetical order.
std::string links_of(const Graph& graph, const StepGraph& steps) {
  std::vector<std::string> lines;
  for (const CauseLink& link : steps.causes.links())
    lines.push_back(fmt::format("{}->{} {} {}\n", name(graph, steps.steps[link.from]),
                                name(graph, steps.steps[link.to]), steps[link].type(),
                                word(static_cast<StepEvidence>(link.strength))));
  std::ranges::sort(lines);
  return std::accumulate(lines.begin(), lines.end(), std::string());
}

}  // namespace

TEST_CASE("a tool use is a step below its call, through which its result leads on") {
  CallStory story;
  story.call("a").says("hi").uses("t1", "Read").uses("t2", "Read");
  story.call("b").after("a").reads("t1").reads("t2");
  const Graph& graph = story.graph();
  CHECK(links_of(graph, steps_of(graph)) ==
        "a->b continuation seen\n"
        "a->t1 tool_use asked\n"
        "a->t2 tool_use asked\n"
        "t1->b tool_result read\n"
        "t2->b tool_result read\n");
}

TEST_CASE("a spawn leads through its tool use, and a report straight to who reads it") {
  CallStory story;
  story.call("a").says("hi").spawns("t1", "Explore", "look around");
  story.call("s").says("look around").answers("all is well");
  story.call("b").after("a").reads("t1", "all is well");
  const Graph& graph = story.graph();
  CHECK(links_of(graph, steps_of(graph)) ==
        "a->b continuation seen\n"
        "a->t1 tool_use asked\n"
        "s->b subagent_report read\n"
        "t1->b tool_result read\n"
        "t1->s subagent_spawn spawned\n");
}

TEST_CASE("a subagent that another tool use may have started is possible from there") {
  CallStory story;
  story.call("p").at(0).spawns("t1", "Explore", "same");
  story.call("q").at(1).spawns("t2", "Explore", "same").says("another talk");
  story.call("c1").at(10).says("same");
  story.call("c2").at(11).says("same").answers("other words");
  const Graph& graph = story.graph();
  const StepGraph steps = steps_of(graph);
  const auto t1 =
      std::ranges::find_if(steps.steps, [&](const GraphStep& s) { return name(graph, s) == "t1"; });
  const std::vector<uint32_t> from = {static_cast<uint32_t>(t1 - steps.steps.begin())};
  const Reached reached = find_reached(steps.causes, from);
  REQUIRE(reached.nodes.size() == 1);
  CHECK(name(graph, steps.steps[reached.nodes[0]]) == "c1");
  const std::vector<Possible> possible = find_possible(steps.causes, reached, steps.rivals);
  REQUIRE(possible.size() == 1);
  CHECK(name(graph, steps.steps[possible[0].node]) == "c2");
  CHECK(possible[0].confidence == Approx(0.5));
}

TEST_CASE("links of a span are causes beside its parent, and the only ones without a parent") {
  HopStory story;
  story.span("a", "desk", "", 0, 100).in_trace("t");
  story.span("b", "desk", "a", 10, 20).in_trace("t");
  story.span("c", "desk", "a", 40, 20).in_trace("t").following("b", "t");
  story.span("d", "desk", "", 70, 20).in_trace("t").following("b", "t").following("c", "t");
  const Graph graph = story.graph();
  const Hops& hops = graph.joined_hops();
  const StepGraph steps = steps_of_hops(hops, std::vector<bool>(hops.all.size(), true),
                                        std::vector<bool>(hops.edges.size(), true));
  const std::string links = links_of(graph, steps);
  CHECK(links ==
        "a->b parent recorded\n"
        "a->c parent recorded\n"
        "b->c parent recorded\n"
        "b->d parent recorded\n"
        "c->d parent recorded\n");
}
