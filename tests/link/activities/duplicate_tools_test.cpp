#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "hop_story.h"
#include "link/graph/graph.h"

using namespace xtrace;

TEST_CASE("what carries the use of a tool to the server that has it is no second use") {
  const auto uses = [](const std::string& inner, int times, const std::string& id) {
    HopStory story;
    story.span("outer", "garden", "", 0, 1000).tag("gen_ai.operation.name", "execute_tool");
    story.tag("gen_ai.tool.name", "weigh").tag("gen_ai.tool.call.id", "t1");
    for (int i = 0; i < times; ++i) {
      story.span(fmt::format("inner{}", i), "garden", "outer", 10 + i, 90)
          .called("carry", "garden");
      story.tag("gen_ai.operation.name", "execute_tool").tag("gen_ai.tool.name", inner);
      if (!id.empty()) story.tag("gen_ai.tool.call.id", id);
    }
    const Graph graph = story.graph();
    size_t counted = 0;
    for (const Activity& one : graph.activities().all)
      counted += one.kind == Activity::Kind::tool_run && !one.same_as;
    return counted;
  };
  CHECK(uses("weigh", 1, "") == 1);
  CHECK(uses("weigh", 1, "t1") == 1);
  CHECK(uses("weigh", 1, "t2") == 2);  // a use by itself, as its id tells
  CHECK(uses("weigh", 2, "") == 3);    // which of them carries the outer one nobody knows
  CHECK(uses("count", 1, "") == 2);
}
