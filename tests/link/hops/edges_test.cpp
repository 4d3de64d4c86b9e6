#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "hop_story.h"
#include "link/graph/graph.h"

using namespace xtrace;

namespace {

/// `a-parent b-follows_from`: what led to a hop, in the order of the table.
std::string edges_into(const Graph& graph, const std::string& id) {
  const Hops& hops = graph.hops();
  std::string text;
  for (const HopEdge& edge : hops.edges_into(hops.find(graph.trace(), id)))
    text += fmt::format("{}{}-{}", text.empty() ? "" : " ", hops.name_of(graph.trace(), edge.from),
                        word(edge.rule));
  return text;
}

}  // namespace

TEST_CASE("everything that a span records as its cause is an edge, and the first is its cause") {
  HopStory story;
  story.hop("a", "user:u", "agent:hub", 0, 100).in_trace("1");
  story.hop("b", "user:u", "agent:hub", 1, 100).in_trace("1");
  story.hop("c", "user:u", "agent:hub", 2, 100).in_trace("1");
  story.hop("d", "agent:hub", "resource:db", 10, 20).in_trace("1");
  story.below("b").following("c", "1").following("a", "1").following("a", "1");
  const Graph graph = story.graph();
  CHECK(edges_into(graph, "d") == "b-parent a-follows_from c-follows_from");
  CHECK(edges_into(graph, "a").empty());
  const HopId hop = graph.hops().find(graph.trace(), "d");
  CHECK(graph.hops().more_edges_into(hop).size() == 2);
  CHECK(graph.hops()[hop].cause == graph.hops().edges_into(hop).front().from);
}

TEST_CASE("an edge by time stands in the table as a recorded one does") {
  HopStory story;
  story.hop("a", "user:u", "agent:hub", 0, 100);
  story.hop("b", "agent:hub", "resource:db", 10, 20);
  const Graph graph = story.graph();
  CHECK(edges_into(graph, "b") == "a-only_one");
  CHECK_FALSE(graph.hops().edges.front().is_recorded());
}

TEST_CASE("an id that the clock denies stays below one that fits, however often edges are listed") {
  HopStory story;
  story.hop("a", "user:u", "agent:hub", 0, 100).in_trace("1");
  story.hop("late", "user:u", "agent:hub", 50, 100).in_trace("1");
  story.hop("d", "agent:hub", "resource:db", 10, 20).in_trace("1");
  story.below("a").following("late", "1");
  const Graph graph = story.graph();
  Hops hops = find_hops(graph.trace(), {});
  const HopId hop = hops.find(graph.trace(), "d");
  for (int times = 0; times < 2; ++times, hops.list_edges()) {
    REQUIRE(hops.edges_into(hop).size() == 2);
    CHECK(hops.edges_into(hop)[0].confidence == 1);
    CHECK(hops.edges_into(hop)[1].confidence == 0.99);
  }
}
