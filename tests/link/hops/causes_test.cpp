#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "hop_story.h"
#include "link/graph/graph.h"
#include "link/hops/begun_early.h"
#include "reading.h"

namespace xtrace {

namespace {

/// Two requests side by side through an agent that always asks the database 10 ms after it was
/// called; only the rhythm shows which call was whose.
HopStory rhythm(int requests, double apart) {
  HopStory story;
  for (int i = 0; i < requests; ++i) {
    double start = i * apart;
    story.hop(fmt::format("c{}", i), "user:u", "agent:read", start, 100);
    story.hop(fmt::format("d{}", i), "agent:read", "resource:db", start + 10, 5);
  }
  return story;
}

}  // namespace

TEST_CASE("of two callers, the one that is still waiting caused a call, not the one that is done") {
  HopStory story;
  story.hop("chat", "agent:chat", "agent:read", 10, 100);
  story.hop("summary", "agent:summary", "agent:read", 20, 10);
  story.hop("db", "agent:read", "resource:db", 50, 5);
  CHECK(story.causes() == "db<-chat only_one\n");
  SECTION("the design's own rule takes the latest") {
    LinkOptions nearest;
    nearest.causes = Causes::nearest;
    CHECK(story.causes(nearest) == "db<-summary nearest\n");
  }
}

TEST_CASE("a parent and a child that start at one moment are still told apart") {
  HopStory story;
  story.hop("a", "user:u", "agent:chat", 0, 50);
  story.hop("b", "agent:chat", "resource:db", 0, 20);
  CHECK(story.path("b") == "user:u agent:chat resource:db");
}

TEST_CASE("an agent that is called back keeps its principal") {
  HopStory story;
  story.hop("1", "user:u", "agent:a", 0, 100);
  story.hop("2", "agent:a", "agent:b", 10, 80);
  story.hop("3", "agent:b", "agent:a", 20, 60);
  story.hop("4", "agent:a", "resource:db", 30, 10);
  CHECK(story.path("3") == "user:u agent:a agent:b agent:a");
  CHECK(story.path("2") == "user:u agent:a agent:b");
  CHECK(story.path("4") == "user:u agent:a agent:b agent:a resource:db");
}

TEST_CASE("while an agent waits for one that called it back, the inner call acts") {
  HopStory story;
  story.hop("1", "user:u", "agent:a", 0, 100);
  story.hop("2", "agent:a", "agent:b", 10, 80);
  story.hop("3", "agent:b", "agent:c", 15, 70);
  story.hop("4", "agent:c", "agent:a", 20, 60);
  story.hop("5", "agent:a", "resource:db", 30, 10);
  story.hop("6", "agent:a", "resource:db", 92, 5);
  Graph graph = story.graph();
  const Hops& hops = graph.hops();
  const Hop& inner = hops[hops.find(graph.trace(), "5")];
  CHECK(hops.name_of(graph.trace(), inner.cause) == "4");
  CHECK(inner.confidence > 0.5);
  REQUIRE(inner.alternatives == 1);  // it may do several things at once
  CHECK(hops.name_of(graph.trace(), hops.alternatives_of(inner).front().from) == "1");
  CHECK(story.path("6") == "user:u agent:a resource:db");
}

TEST_CASE("a span whose parent is not in the input has no cause that is certain") {
  HopStory story;
  story.hop("1", "user:u", "agent:a", 0, 100).in_trace("e1");
  story.hop("2", "agent:a", "resource:db", 10, 5).in_trace("e1").below("99");
  Graph graph = story.graph();
  const Hop& hop = graph.hops()[graph.hops().find(graph.trace(), "2")];
  CHECK(graph.trace()[hop.missing_parent] == "99");
  CHECK(hop.cause);
  CHECK(hop.confidence == Approx(0.5));
}

TEST_CASE("nobody who began later led to a call, whatever clocks may do") {
  HopStory story;
  story.hop("1", "user:u", "agent:a", 1, 100);
  story.hop("2", "agent:a", "agent:b", 0.5, 50);
  const Graph graph = story.graph();
  const HopId early = graph.hops().find(graph.trace(), "2");
  CHECK_FALSE(graph.hops()[early].cause);
  CHECK(find_begun_early(graph.hops()) == std::vector<HopId>{early});
}

TEST_CASE("an agent that calls itself acts in the inner call, perhaps in the outer one") {
  HopStory story;
  story.hop("1", "user:u", "agent:a", 0, 100);
  story.hop("2", "agent:a", "agent:a", 10, 80);
  story.hop("3", "agent:a", "resource:db", 20, 10);
  const Graph graph = story.graph();
  const Hop& call = graph.hops()[graph.hops().find(graph.trace(), "3")];
  CHECK(graph.hops().name_of(graph.trace(), call.cause) == "2");
  REQUIRE(call.alternatives == 1);
  CHECK(graph.hops().name_of(graph.trace(), graph.hops().alternatives_of(call)[0].from) == "1");
}

TEST_CASE("a span of a service that calls nobody is no call") {
  HopStory story;
  story.hop("1", "user:u", "agent:a", 0, 10);
  story.span("2", "sidecar", "", 3, 1);
  Graph graph = story.graph();
  CHECK_FALSE(graph.hops()[graph.hops().find(graph.trace(), "2")].is_call());
  story.span("3", "stock", "2", 4, 1);  // now somebody is called
  Graph with_call = story.graph();
  CHECK(with_call.hops()[with_call.hops().find(with_call.trace(), "2")].is_call());
}

TEST_CASE("chains have no depth at which they are cut") {
  constexpr int kDepth = 300;
  HopStory story;
  story.hop("h0", "user:u", "agent:a0", 0, 1000);
  for (int i = 1; i < kDepth; ++i)
    story.hop(fmt::format("h{}", i), fmt::format("agent:a{}", i - 1), fmt::format("agent:a{}", i),
              i, 1000 - 2 * i);
  std::string path = story.path(fmt::format("h{}", kDepth - 1));
  CHECK(path.starts_with("user:u agent:a0 agent:a1 "));
  CHECK(std::count(path.begin(), path.end(), ' ') == kDepth);
}

TEST_CASE("causes are not looked for among all hops") {
  constexpr int kRequests = 2000;
  HopStory story = rhythm(kRequests, 150);
  Graph graph = story.graph();
  CHECK(graph.hops().weighed <= size_t{4} * kRequests);  // and not four million
  for (const Hop& hop : graph.hops().all)
    if (!hop.to || graph.hops()[hop.to].type == Actor::Type::resource) {
      REQUIRE(hop.cause);
      CHECK(hop.rule == Rule::only_one);
    }
}

TEST_CASE("where several callers wait, the rhythm of the others tells whose call it was") {
  HopStory story = rhythm(60, 30);
  Graph graph = story.graph();
  const Hops& hops = graph.hops();
  for (int i = 0; i < 60; ++i) {
    CAPTURE(i);
    const Hop& call = hops[hops.find(graph.trace(), fmt::format("d{}", i))];
    REQUIRE(call.cause);
    CHECK(hops.name_of(graph.trace(), call.cause) == fmt::format("c{}", i));
    CHECK(call.confidence > 0.9);
  }
}

TEST_CASE("a cause that was found names those that it could have been instead") {
  HopStory story;
  story.hop("a", "user:u", "agent:read", 0, 100);
  story.hop("b", "user:v", "agent:read", 0, 100);
  story.hop("d", "agent:read", "resource:db", 50, 5);
  Graph graph = story.graph();
  const Hop& call = graph.hops()[graph.hops().find(graph.trace(), "d")];
  CHECK(call.rule == Rule::call_pattern);
  REQUIRE(call.alternatives == 1);
  double other = graph.hops().alternatives_of(call).front().confidence;
  CHECK(call.confidence + other == Approx(1).margin(0.1));
  CHECK(call.confidence < 0.7);  // they are alike; nobody can know
}

TEST_CASE("what outlives its caller is the last caller's, and as sure as that rule is elsewhere") {
  HopStory story;
  story.hop("a", "user:u", "agent:chat", 0, 10);
  story.hop("d", "agent:chat", "resource:db", 2, 3);
  story.hop("late", "agent:chat", "agent:x", 50, 30);
  CHECK(story.causes() == "d<-a only_one\nlate<-a nearest\n");
  Graph graph = story.graph();
  const Hop& late = graph.hops()[graph.hops().find(graph.trace(), "late")];
  CHECK(late.confidence == Approx(2.0 / 3));  // one of one, and one more for and against
}

TEST_CASE("a call that lasts all the time costs the others nothing") {
  HopStory story;
  story.hop("all", "user:u", "agent:a", 0, 100000);
  for (int i = 0; i < 1000; ++i) {
    story.hop(fmt::format("c{}", i), "user:u", "agent:a", i * 10, 5);
    story.hop(fmt::format("d{}", i), "agent:a", "resource:db", i * 10 + 7, 1);
  }
  CHECK(story.graph().hops().weighed < 5000);  // and not a million
}

TEST_CASE("hops that could all be one another's are answered with equal shares") {
  HopStory story;
  for (int i = 0; i < 20; ++i) {
    story.hop(fmt::format("c{}", i), "user:u", "agent:a", 0, 0);
    story.hop(fmt::format("d{}", i), "agent:a", "resource:db", 0, 0);
  }
  Graph graph = story.graph();
  for (const Hop& hop : graph.hops().all)
    if (hop.cause) CHECK(hop.confidence < 0.5);
}

TEST_CASE("runs do not mix") {
  HopStory story;
  story.hop("a", "user:u", "agent:read", 0, 100, "r1");
  story.hop("b", "user:v", "agent:read", 0, 100, "r2");
  story.hop("d", "agent:read", "resource:db", 50, 5, "r2");
  CHECK(story.causes() == "d<-b only_one\n");
}

TEST_CASE("both sides of a call are one hop, with the time of the side that was called") {
  HopStory story;
  story.outbound("a", "agent:x", "agent:y", 0, 50);
  story.hop("a", "unknown", "agent:y", 1, 48);
  Graph graph = story.graph();
  REQUIRE(graph.hops().all.size() == 1);
  const Hop& hop = graph.hops().all.front();
  CHECK(hop.observations == 2);
  CHECK(hop.duration == std::chrono::milliseconds(48));
  CHECK(hop.waited == std::chrono::milliseconds(50));
  CHECK(graph.hops()[hop.from].id == "agent:x");  // which only one of them knew
}

TEST_CASE("other hops with the same span id are numbered") {
  HopStory story;
  story.hop("a", "agent:x", "agent:y", 0, 50);
  story.hop("a", "agent:x", "agent:z", 60, 50);
  Graph graph = story.graph();
  REQUIRE(graph.hops().all.size() == 2);
  CHECK(graph.hops().name_of(graph.trace(), HopId(1)) == "a~2");
}

TEST_CASE("a recorded parent is believed, and time is not asked") {
  HopStory story;
  story.span("1", "shop", "", 0, 10);
  story.span("2", "cart", "0001", 500, 10);  // zeros in front do not count
  CHECK(story.causes() == "2<-1 parent\n");
}

TEST_CASE("parents that are missing, their own, or in a circle are reported and survived") {
  HopStory story;
  story.span("1", "shop", "9", 0, 10);
  story.span("2", "shop", "2", 1, 10);
  story.span("3", "shop", "4", 2, 10);
  story.span("4", "shop", "3", 3, 10);
  CHECK(story.causes() == "4<-3 parent\n");
  CHECK(story.graph().hops().complaints.size() == 3);
}

TEST_CASE("a hop of which nobody knows when it was has no cause and is none") {
  HopStory story;
  story.hop("a", "user:u", "agent:x", 0, 10);
  story.hop("b", "agent:x", "agent:y", 2, 5);
  Trace trace = read_log(story.json());
  trace.spans[1].start = kNoTime;
  Hops hops = find_hops(trace, {});
  REQUIRE(hops.all.size() == 2);
  for (const Hop& hop : hops.all) CHECK_FALSE(hop.cause);
}

TEST_CASE("a call that two callers could have made is given to one, and the other is named") {
  HopStory story;
  story.hop("1", "user:u", "agent:a", 0, 10);
  story.hop("2", "user:u", "agent:b", 0.1, 10);
  story.hop("3", "agent:a", "agent:c", 1, 5);
  story.hop("4", "agent:b", "agent:c", 1.1, 5);
  story.hop("5", "agent:c", "agent:d", 2, 3);
  Graph graph = story.graph();
  const Hops& hops = graph.hops();
  const Hop& call = hops[hops.find(graph.trace(), "5")];
  REQUIRE(call.cause);
  CHECK(call.rule == Rule::call_pattern);
  REQUIRE(hops.alternatives_of(call).size() == 1);
  CHECK(call.confidence + hops.alternatives_of(call).front().confidence > 0.9);
  CHECK(call.confidence < 0.8);
}

TEST_CASE("causes are the same for any number of threads and any order of the input") {
  HopStory story = rhythm(40, 30);
  std::string wanted = story.causes();
  for (unsigned jobs : {2u, 8u}) {
    LinkOptions linking;
    linking.jobs = jobs;
    CHECK(story.causes(linking) == wanted);
  }
  HopStory backwards;
  for (int i = 39; i >= 0; --i) {
    backwards.hop(fmt::format("d{}", i), "agent:read", "resource:db", i * 30 + 10, 5);
    backwards.hop(fmt::format("c{}", i), "user:u", "agent:read", i * 30, 100);
  }
  CHECK(backwards.causes() == wanted);
}

TEST_CASE("where most hops have many alternatives, the likeliest are named and the rest counted") {
  Hops hops;
  constexpr size_t kHops = 600, kEach = 8;
  for (size_t i = 0; i < kHops; ++i) {
    Hop hop;
    hop.rule = Rule::call_pattern;
    hop.cause = HopId(0);
    hop.first_alternative = static_cast<uint32_t>(hops.alternatives.size());
    hop.alternatives = kEach;
    for (size_t k = 0; k < kEach; ++k) hops.alternatives.push_back({HopId(k), 0.1});
    hops.all.push_back(hop);
  }
  hops.bound_alternatives();
  CHECK(hops.all.front().alternatives == 2);
  CHECK(hops.all.front().more_alternatives == kEach - 2);
  hops.all.resize(100);
  for (Hop& hop : hops.all) hop.alternatives = kEach;
  hops.bound_alternatives();
  CHECK(hops.all.front().alternatives == kEach);
}

}  // namespace xtrace
