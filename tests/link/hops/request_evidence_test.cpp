#include <catch2/catch.hpp>

#include "hop_story.h"
#include "link/graph/graph.h"

namespace xtrace {

namespace {

/// Ann's request and Bob's, in one agent at one time.
HopStory two_users() {
  HopStory story;
  story.hop("1", "user:ann", "agent:a", 0, 100).tag("trust.principal_id", "ann");
  story.hop("2", "user:bob", "agent:a", 5, 100).tag("trust.principal_id", "bob");
  return story;
}

std::string principals(const HopStory& story) {
  Graph graph = story.graph();
  const Hops& hops = graph.hops();
  const Run& run = hops.runs.front();
  std::string text = run.principal ? "one " + std::string(hops[run.principal].id) : "";
  for (ActorId id : run.principals) text += (text.empty() ? "" : " ") + std::string(hops[id].id);
  return text;
}

}  // namespace

TEST_CASE("a call made for a principal is no effect of a call made for another one") {
  HopStory story = two_users();
  story.hop("3", "agent:a", "resource:db", 10, 5).tag("trust.principal_id", "ann");
  story.hop("4", "agent:a", "resource:db", 30, 5).tag("trust.principal_id", "bob");
  CHECK(story.causes() == "3<-1 only_one\n4<-2 only_one\n");
}

TEST_CASE("a call that tells no principal may be anybody's") {
  HopStory story = two_users();
  story.hop("3", "agent:a", "resource:db", 10, 5);
  Graph graph = story.graph();
  const Hops& hops = graph.hops();
  CHECK(hops.alternatives_of(hops[hops.find(graph.trace(), "3")]).size() == 1);
}

TEST_CASE("where a caller was reported in the same trace, callers in other traces did not call") {
  HopStory story;
  story.hop("1", "user:u", "agent:a", 0, 100).in_trace("e1");
  story.hop("2", "user:u", "agent:a", 5, 100).in_trace("e2");
  story.hop("3", "agent:a", "resource:db", 10, 5).in_trace("e1");
  story.hop("4", "agent:a", "resource:db", 30, 5).in_trace("00e2");
  story.hop("5", "agent:a", "resource:db", 50, 5).in_trace("e9");
  Graph graph = story.graph();
  const Hops& hops = graph.hops();
  auto cause = [&](const char* id) {
    return hops.name_of(graph.trace(), hops[hops.find(graph.trace(), id)].cause);
  };
  CHECK(cause("3") == "1");
  CHECK(cause("4") == "2");
  CHECK(hops.alternatives_of(hops[hops.find(graph.trace(), "5")]).size() == 1);
}

TEST_CASE("a run of several principals is nobody's in particular") {
  CHECK(principals(two_users()) == "user:ann user:bob");
  HopStory one;
  one.hop("1", "user:ann", "agent:a", 0, 100).tag("trust.principal_id", "ann");
  CHECK(principals(one) == "one user:ann");
  HopStory none;
  none.hop("1", "agent:x", "agent:a", 0, 100);
  CHECK(principals(none).empty());
}

TEST_CASE("an id by which spans name one principal alone is that principal") {
  HopStory story;
  story.hop("1", "user:ann", "agent:a", 0, 100).tag("trust.principal_id", "u-17");
  story.hop("2", "agent:a", "resource:db", 10, 5).tag("trust.principal_id", "u-17");
  CHECK(principals(story) == "one user:ann");
  CHECK(story.path("2") == "user:ann agent:a resource:db");
}

TEST_CASE("a chain whose first call nobody saw begins with the principal that the span names") {
  HopStory story;
  story.hop("2", "agent:a", "agent:b", 10, 50).tag("trust.principal_id", "ann");
  story.hop("3", "agent:b", "resource:db", 20, 5);
  CHECK(story.path("3") == "user:ann agent:a agent:b resource:db");
  HopStory untold;
  untold.hop("3", "agent:b", "resource:db", 20, 5);
  CHECK(untold.path("3") == "agent:b resource:db");
}

}  // namespace xtrace
