#include "link/hops/clock_offset.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "hop_story.h"
#include "link/graph/graph.h"

namespace xtrace {

namespace {

/// Requests through an agent whose calls are seen by the other side alone, the clock of which is
/// behind by so many milliseconds.
HopStory behind_by(double behind, int requests = 6) {
  HopStory story;
  for (int i = 0; i < requests; ++i) {
    double start = i * 300 + i % 3;
    story.hop(fmt::format("c{}", i), "user:u", "agent:a", start, 100);
    story.hop(fmt::format("d{}", i), "agent:a", "agent:b", start + 20 - behind, 50);
  }
  return story;
}

}  // namespace

TEST_CASE("the offset of a clock is what the most calls agree on") {
  CHECK(best_offset({{{10, 30}}, {{20, 40}}, {{-300, -200}, {22, 50}}}).offset == Approx(26));
  CHECK(best_offset({{{10, 30}}, {{20, 40}}, {{-300, -200}, {22, 50}}}).calls == 3);
  CHECK(best_offset({{{10, 20}, {12, 30}}}).calls == 1);
  CHECK(best_offset({}).calls == 0);
}

TEST_CASE("a clock far behind that one side alone shows is estimated from all calls") {
  HopStory story = behind_by(50);
  Graph graph = story.graph();
  const Hops& hops = graph.hops();
  for (int i = 0; i < 6; ++i) {
    const Hop& call = hops[hops.find(graph.trace(), fmt::format("d{}", i))];
    REQUIRE(call.cause);
    CHECK(hops.name_of(graph.trace(), call.cause) == fmt::format("c{}", i));
    CHECK(starts_before_cause(hops, call));
  }
}

TEST_CASE("two calls that fit no caller say nothing of a clock") {
  Graph graph = behind_by(50, 2).graph();
  for (const Hop& hop : graph.hops().all) CHECK(hop.confidence <= 1);
  CHECK_FALSE(graph.hops()[graph.hops().find(graph.trace(), "d0")].cause);
}

}  // namespace xtrace
