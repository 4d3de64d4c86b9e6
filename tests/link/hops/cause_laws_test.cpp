#include <catch2/catch.hpp>
#include <map>

#include "cause_world.h"
#include "effort.h"
#include "link/graph/graph.h"

// Three laws that causes which were found keep, whatever the log: they form no circle, each begins
// before what it led to, and they are right as often as they are sure.

namespace xtrace {

namespace {

constexpr uint64_t kWorldsOfEachKind = effort(170, 50);  // 2,040 in all

/// Links of one kind of world, by how sure they are.
struct Sureness {
  size_t sure = 0, sure_right = 0;      ///< at .99 or more
  size_t likely = 0, likely_right = 0;  ///< from .95 to .99
  size_t all = 0, right = 0;
  size_t unnamed = 0;  ///< wrong, and the true cause is not among the others
  double promised = 0;
};

double share(size_t part, size_t all) {
  return all == 0 ? 1 : static_cast<double>(part) / static_cast<double>(all);
}

std::string name_of(const Graph& graph, HopId hop) {
  return hop ? graph.hops().name_of(graph.trace(), hop) : std::string();
}

void add(const CauseWorld& world, const Graph& graph, Sureness& sum) {
  const Hops& hops = graph.hops();
  for (size_t i = 0; i < hops.all.size(); ++i) {
    const Hop& hop = hops.all[i];
    if (!hop.cause) continue;
    const std::string& truth = world.cause_of.at(name_of(graph, HopId(i)));
    const bool is_right = name_of(graph, hop.cause) == truth;
    ++sum.all;
    sum.right += is_right;
    sum.promised += hop.confidence;
    if (hop.confidence >= 0.99) ++sum.sure, sum.sure_right += is_right;
    if (hop.confidence >= 0.95 && hop.confidence < 0.99) ++sum.likely, sum.likely_right += is_right;
    bool is_named = is_right;
    for (const Rival<HopId>& other : hops.alternatives_of(hop))
      is_named |= name_of(graph, other.from) == truth;
    sum.unnamed += !is_named;
  }
}

size_t length_of_chain(const Hops& hops, HopId hop) {
  size_t length = 0;
  for (HopId at = hop; at && length <= hops.all.size(); at = hops[at].cause) ++length;
  return length;
}

}  // namespace

TEST_CASE("causes that are found form no circle and begin before what they led to") {
  for (const CauseWorldKind& kind : kCauseWorldKinds)
    for (uint64_t seed = 0; seed < kWorldsOfEachKind; ++seed) {
      const CauseWorld world(seed, kind);
      const Graph graph = world.story.graph();
      const Hops& hops = graph.hops();
      CAPTURE(kind.name, seed);
      REQUIRE(hops.all.size() == world.cause_of.size());
      for (size_t i = 0; i < hops.all.size(); ++i) {
        REQUIRE(length_of_chain(hops, HopId(i)) <= hops.all.size());
        if (hops.all[i].cause) REQUIRE_FALSE(starts_before_cause(hops, hops.all[i]));
      }
    }
}

TEST_CASE("causes are right as often as they are sure") {
  for (const CauseWorldKind& kind : kCauseWorldKinds) {
    Sureness sum;
    for (uint64_t seed = 1000; seed < 1000 + kWorldsOfEachKind; ++seed) {
      const CauseWorld world(seed, kind);
      add(world, world.story.graph(), sum);
    }
    CAPTURE(kind.name, sum.all, sum.right, sum.promised, sum.sure, sum.sure_right, sum.likely,
            sum.likely_right);
    if (kind.skew == 0) CHECK(sum.unnamed == 0);
    if (kIsSanitized) continue;  // so few show no shares
    CHECK(share(sum.sure_right, sum.sure) >= 0.99);
    CHECK(share(sum.likely_right, sum.likely) >= 0.95);
    if (kind.skew == 0) {
      CHECK(share(sum.sure_right, sum.sure) >= 0.995);
      CHECK(share(sum.likely_right, sum.likely) >= 0.99);
      // Rather too careful than too sure.
      CHECK(sum.promised <= static_cast<double>(sum.right) + 0.01 * static_cast<double>(sum.all));
    }
  }
}

TEST_CASE("a pattern is learned also where all requests overlap") {
  Sureness sum;
  for (uint64_t seed = 0; seed < effort(6, 1); ++seed) {
    const CauseWorld world(seed, {"overlapping throughout", 80, 0, 0, false, 1, true});
    add(world, world.story.graph(), sum);
  }
  CAPTURE(sum.all, sum.right);
  REQUIRE(sum.all > 0);
  if (!kIsSanitized) CHECK(share(sum.right, sum.all) > 0.7);
}

TEST_CASE("what actors are called changes no cause and no confidence") {
  for (const CauseWorldKind& kind : kCauseWorldKinds)
    for (uint64_t seed = 0; seed < effort(40, 10); ++seed) {
      const Graph graph = CauseWorld(seed, kind).story.graph();
      const Graph renamed = CauseWorld(seed, kind, "zqma").story.graph();
      CAPTURE(kind.name, seed);
      REQUIRE(graph.hops().all.size() == renamed.hops().all.size());
      std::map<std::string, std::pair<std::string, double>> causes, others;
      for (size_t i = 0; i < graph.hops().all.size(); ++i) {
        const Hop& one = graph.hops().all[i];
        const Hop& other = renamed.hops().all[i];
        causes[name_of(graph, HopId(i))] = {name_of(graph, one.cause), one.confidence};
        others[name_of(renamed, HopId(i))] = {name_of(renamed, other.cause), other.confidence};
      }
      REQUIRE(causes == others);
    }
}

}  // namespace xtrace
