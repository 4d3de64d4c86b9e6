#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "hop_story.h"
#include "link/graph/graph.h"

using namespace xtrace;

namespace {

struct Carried {
  std::string name = "weigh";
  int times = 1;
  std::string id{};
  int between = 0;       ///< plain spans around each
  bool overlap = false;  ///< of each other
  std::string operation = "carry";
};

/// The uses of tools that count where one of `garden_weigh`'s many names is around those.
size_t count_uses(const std::string& outer, const Carried& carried) {
  HopStory story;
  story.span("outer", "garden", "", 0, 1000).tag("gen_ai.operation.name", "execute_tool");
  story.tag("gen_ai.tool.name", outer).tag("gen_ai.tool.call.id", "t1");
  for (int i = 0; i < carried.times; ++i) {
    std::string above = "outer";
    for (int depth = 0; depth < carried.between; ++depth) {
      const std::string plain = fmt::format("plain{}_{}", i, depth);
      story.span(plain, "garden", above, 10 + 100 * i, 90);
      above = plain;
    }
    story.span(fmt::format("inner{}", i), "garden", above, 10 + (carried.overlap ? 1 : 100) * i, 90)
        .called(carried.operation, "garden");
    story.tag("gen_ai.operation.name", "execute_tool").tag("gen_ai.tool.name", carried.name);
    if (!carried.id.empty()) story.tag("gen_ai.tool.call.id", carried.id);
  }
  const Graph graph = story.graph();
  size_t counted = 0;
  for (const Activity& one : graph.activities().all)
    counted += one.kind == Activity::Kind::tool_run && !one.same_as;
  return counted;
}

}  // namespace

TEST_CASE("what carries the use of a tool to the server that has it is no second use") {
  CHECK(count_uses("weigh", {}) == 1);
  CHECK(count_uses("weigh", {.id = "t1"}) == 1);
  CHECK(count_uses("weigh", {.id = "t2"}) == 2);  // a use by itself, as its id shows
  CHECK(count_uses("weigh", {.name = "count"}) == 2);
}

TEST_CASE("tries of a use follow each other; spans at the same time are uses of their own") {
  CHECK(count_uses("weigh", {.times = 3}) == 1);
  CHECK(count_uses("weigh", {.times = 2, .overlap = true}) == 3);
}

TEST_CASE("a tool behind the name of its server is the tool") {
  for (const char* outer : {"mcp__garden__weigh", "garden.weigh", "garden/weigh", "garden:weigh"})
    CHECK(count_uses(outer, {}) == 1);
  CHECK(count_uses("garden_weigh", {}) == 2);
  CHECK(count_uses("garden_weigh", {.operation = "tools/call weigh"}) == 1);
  CHECK(count_uses("outweigh", {.operation = "tools/call weigh"}) == 2);
}

TEST_CASE("any number of plain spans may be between the layers of a use") {
  CHECK(count_uses("weigh", {.between = 40}) == 1);
}
