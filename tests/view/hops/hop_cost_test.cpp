#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "hop_story.h"
#include "render/renderer.h"
#include "view/common/view.h"

using namespace xtrace;

TEST_CASE("a cost and tokens stand once, where the call counts, though another span tells them") {
  HopStory story;
  auto call = [&](const std::string& id, const std::string& parent, double start) {
    story.span(id, "garden", parent, start, 100);
    story.tag("gen_ai.operation.name", "chat")
        .tag("gen_ai.request.model", "claude-sonnet-4-5")
        .tag("gen_ai.usage.input_tokens", "1100")
        .tag("gen_ai.usage.output_tokens", "20");
  };
  call("outer", "", 0);
  story.tag("gen_ai.usage.cost", "0.009").tag("gen_ai.usage.cache_read.input_tokens", "1000");
  call("inner", "outer", 10);
  const Graph graph = story.graph();
  Door door(Redaction::all, Door::Level::basic, 200);
  Result<Document> document = find_view("dag")->make()->answer({graph, door, Face::tables});
  std::ostringstream out;
  write_json(document.value(), Paper{}, out);
  const nlohmann::json dag = nlohmann::json::parse(out.str());
  REQUIRE(dag["nodes"].size() == 2);
  const nlohmann::json &outer = dag["nodes"][0], &inner = dag["nodes"][1];
  CHECK_FALSE(outer.contains("cost_usd"));
  CHECK_FALSE(outer.contains("tokens"));
  CHECK(inner["cost_usd"] == 0.009);
  CHECK(inner["cost_from"] == "log");
  CHECK(inner["tokens"] ==
        nlohmann::json({{"input", 100}, {"output", 20}, {"cache_read", 1000}, {"total", 1120}}));
}
