#include <catch2/catch.hpp>

#include "hop_story.h"
#include "link/graph/graph.h"

using namespace xtrace;

namespace {

HopStory& spends(HopStory& story, const std::string& operation, const std::string& output) {
  return story.tag("gen_ai.operation.name", operation)
      .tag("gen_ai.request.model", "oak-large")
      .tag("gen_ai.usage.input_tokens", "100")
      .tag("gen_ai.usage.output_tokens", output);
}

const Activity& work_of(const Graph& graph, std::string_view id) {
  for (const Activity& one : graph.activities().all)
    if (one.hop && graph.hops().name_of(graph.trace(), one.hop) == id) return one;
  FAIL("no such span");
  return graph.activities().all.front();
}

}  // namespace

TEST_CASE("what an agent names beside calls below it is a total of such calls") {
  HopStory story;
  spends(story.span("agent", "garden", "", 0, 1000), "invoke_agent", "80");
  story.tag("gen_ai.agent.name", "gardener");
  story.span("turn", "garden", "agent", 10, 500).called("turn", "garden");
  spends(story.span("call", "garden", "turn", 20, 400), "chat", "30");
  const Graph graph = story.graph();
  REQUIRE(work_of(graph, "agent").totals);
  CHECK(graph.activities()[work_of(graph, "agent").totals].kind == Activity::Kind::model_call);
  CHECK_FALSE(work_of(graph, "turn").totals);  // it names none
  CHECK_FALSE(work_of(graph, "call").totals);
}

TEST_CASE("what an agent names is no total where no call below it is on record") {
  HopStory story;
  spends(story.span("agent", "garden", "", 0, 1000), "invoke_agent", "80");
  story.tag("gen_ai.agent.name", "gardener");
  spends(story.span("call", "garden", "", 20, 400), "chat", "30");
  CHECK_FALSE(work_of(story.graph(), "agent").totals);
}
