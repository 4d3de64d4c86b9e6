#include <catch2/catch.hpp>

#include "hop_story.h"
#include "link/graph/graph.h"

using namespace xtrace;

TEST_CASE("a run belongs to the conversation that its first span names that names one") {
  HopStory story;
  story.span("a", "shop", "", 0, 100);
  story.span("b", "shop", "a", 10, 20).tag("gen_ai.conversation.id", "conv-1");
  story.span("c", "shop", "a", 40, 20).tag("session.id", "conv-2");
  const Graph graph = story.graph();
  REQUIRE(graph.hops().runs.size() == 1);
  const Run& run = graph.hops().runs.front();
  CHECK(run.session == "conv-1");
  CHECK(run.is_of_session("conv-1"));
  CHECK(run.is_of_session(run.id));
  CHECK_FALSE(run.is_of_session("conv-2"));
}

TEST_CASE("the context limit that a log tells is that of its calls") {
  HopStory story;
  story.span("a", "shop", "", 0, 100).tag("context.tokens_used", "420");
  story.tag("context.tokens_available", "7580");
  story.span("b", "shop", "a", 10, 20).tag("context.limit", "9000");
  const Graph graph = story.graph();
  CHECK(graph.activities().of(HopId(0)).context_limit == 8000);
  CHECK(graph.activities().of(HopId(1)).context_limit == 9000);
}

TEST_CASE("the run of spans that name no trace has a name, too") {
  HopStory story;
  story.span("a", "shop", "", 0, 100).in_trace("");
  const Graph graph = story.graph();
  REQUIRE(graph.hops().runs.size() == 1);
  CHECK(graph.hops().runs.front().id == "untraced");
}
