#include "link/calls/lineage.h"

#include <catch2/catch.hpp>

#include "story.h"

using namespace xtrace;

TEST_CASE("what a call goes on from leads to it; another branch does not") {
  CallStory story;
  story.call("a").says("one");
  story.call("b").after("a").says("two");
  story.call("c").after("b").says("three");
  story.call("e").after("b").says("three, but short");
  story.call("f").after("e").says("four");
  const Graph& graph = story.graph();
  auto id = [&](std::string_view name) {
    for (CallId call : graph.timeline().in_order())
      if (graph.trace()[graph.trace()[call].id] == name) return call;
    return CallId();
  };
  Findings findings;
  findings.links.assign(graph.links().begin(), graph.links().end());
  Lineage lineage(graph.timeline(), findings);
  CHECK(lineage.leads_to(id("a"), id("f")));
  CHECK(lineage.leads_to(id("b"), id("c")));
  CHECK(lineage.leads_to(id("e"), id("f")));
  CHECK(lineage.leads_to(id("f"), id("f")));
  CHECK_FALSE(lineage.leads_to(id("c"), id("f")));
  CHECK_FALSE(lineage.leads_to(id("f"), id("a")));
  CHECK(lineage.previous(id("e")) == id("b"));
  CHECK_FALSE(lineage.previous(id("a")));
}
