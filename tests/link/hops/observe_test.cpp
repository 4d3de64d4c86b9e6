#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "hop_story.h"
#include "link/graph/graph.h"

namespace xtrace {

namespace {

/// `b: b a`, a line for each hop: its name and all its observations.
std::string observations(const HopStory& story) {
  Graph graph = story.graph();
  const Hops& hops = graph.hops();
  std::string text;
  for (size_t i = 0; i < hops.all.size(); ++i) {
    text += hops.name_of(graph.trace(), HopId(i)) + ":";
    for (SpanId id : hops.observations_of(hops.all[i]))
      text += fmt::format(" {}", graph.trace()[graph.trace()[id].id]);
    text += '\n';
  }
  return text;
}

}  // namespace

TEST_CASE("two sides that name their spans differently saw one call") {
  HopStory story;
  story.outbound("a", "agent:x", "agent:y", 0, 50);
  story.hop("b", "agent:x", "agent:y", 1, 48);
  CHECK(observations(story) == "b: b a\n");
}

TEST_CASE("a clock that goes wrong by the same amount all the time does not keep the sides apart") {
  HopStory story;
  for (int i = 0; i < 9; ++i) {
    story.outbound(fmt::format("a{}", i), "agent:x", "agent:y", i * 70, 50 + i);
    story.hop(fmt::format("b{}", i), "agent:x", "agent:y", i * 70 + 301, 48 + i);
  }
  CHECK(story.graph().hops().all.size() == 9);
  CHECK(observations(story).starts_with("b0: b0 a0\nb1: b1 a1\n"));
}

TEST_CASE("calls side by side are told apart by when they end") {
  HopStory story;
  story.outbound("a1", "agent:x", "agent:y", 0, 50);
  story.outbound("a2", "agent:x", "agent:y", 0.1, 90);
  story.hop("b1", "agent:x", "agent:y", 1, 88);
  story.hop("b2", "agent:x", "agent:y", 1.1, 48);
  CHECK(observations(story) == "b1: b1 a2\nb2: b2 a1\n");
}

TEST_CASE("a span that is told of before it ended, and after, is one") {
  HopStory story;
  story.span("a", "x", "", 0, -1).span("a", "x", "", 0, 50);  // no span takes less than no time
  CHECK(observations(story) == "a: a\n");
  CHECK(story.graph().hops().all.front().duration == std::chrono::milliseconds(50));
}

TEST_CASE("a span that is recorded twice with different ends is one, with the later end") {
  HopStory story;
  story.span("a", "x", "", 0, 40).span("a", "x", "", 0, 50);
  REQUIRE(story.graph().hops().all.size() == 1);
  CHECK(story.graph().hops().all.front().duration == std::chrono::milliseconds(50));
  // One of the same id that says who called is another one.
  story.span("a", "x", "", 5, 50).tag("trust.source", "agent:y");
  CHECK(story.graph().hops().all.size() == 2);
}

TEST_CASE("what one side saw much later is another call, and so is what another run saw") {
  HopStory story;
  story.outbound("a", "agent:x", "agent:y", 0, 50);
  story.hop("b", "agent:x", "agent:y", 1, 48);
  story.hop("c", "agent:x", "agent:y", 400, 48);
  story.hop("d", "agent:x", "agent:y", 1, 48, "r2");
  CHECK(story.graph().hops().all.size() == 3);
}

TEST_CASE("what proxies call the two sides of a call makes them one") {
  auto [out, in] = GENERATE(std::pair("egress", "ingress"), std::pair("egress y.local", "ingress"),
                            std::pair("outbound|80||y.svc", "inbound|80||y"),
                            std::pair("router y egress", "ingress"));
  HopStory story;
  story.hop("a", "agent:x", "agent:y", 0, 50).called(out, "proxy");
  story.hop("b", "agent:x", "agent:y", 0.5, 49).called(in, "proxy");
  CHECK(observations(story) == "b: b a\n");
}

TEST_CASE("a gateway at the edge and the proxy beside the agent saw one call of a user") {
  auto [gateway, proxy] = GENERATE(std::pair("ingress", "inbound:y"),
                                   std::pair("ingress", "ingress"), std::pair("egress", "ingress"));
  HopStory story;
  story.hop("a", "user:u", "agent:y", 0, 50).called(gateway, "edge");
  story.hop("b", "user:u", "agent:y", 0.5, 49).called(proxy, "y-proxy");
  CHECK(observations(story) == "b: b a\n");
  story.hop("c", "user:u", "agent:y", 200, 49).called(proxy, "y-proxy");
  CHECK(observations(story) == "b: b a\nc: c\n");
}

TEST_CASE("whom a proxy stands beside tells which side of a call it saw") {
  HopStory story;
  story.hop("a", "agent:x", "agent:y", 0, 50).called("POST /run", "x-proxy");
  story.hop("b", "agent:x", "agent:y", 0.5, 49).called("POST /run", "y-proxy");
  CHECK(observations(story) == "b: b a\n");
}

TEST_CASE("two calls that one side saw are two") {
  HopStory story;
  story.hop("a", "agent:x", "agent:y", 0, 50);
  story.hop("b", "agent:x", "agent:y", 1, 48);
  CHECK(observations(story) == "a: a\nb: b\n");
}

}  // namespace xtrace
