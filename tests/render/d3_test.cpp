#include <catch2/catch.hpp>
#include <string>

#include "graph_files.h"
#include "render/sample_graph.h"

using namespace xtrace;
using Json = nlohmann::json;

namespace {

std::string d3(Drawing drawing) {
  return drawn(std::move(drawing), write_d3);
}

}  // namespace

TEST_CASE("a drawing becomes nodes and links as d3-force takes them") {
  CHECK(d3(small_graph()) == R"({
  "directed": true,
  "multigraph": true,
  "graph": {"title": "run r1"},
  "nodes": [
    {"id": "a", "group": "session s1 / main", "label": "Read ×2\nopus · 2s", "kind": "main", "type": "Call", "is_error": true, "on_critical_path": true, "timestamp": "1970-01-01T00:00:00.000Z", "duration_ms": 1.5, "tokens_input": 12, "cost_usd": 0.0025},
    {"id": "agent:x", "label": "x", "kind": "agent"}
  ],
  "links": [
    {"key": "e1", "source": "a", "target": "agent:x", "label": "Read", "relation": "CALLS", "times": 3, "confidence": 0.5},
    {"key": "e2", "source": "a", "target": "agent:x", "label": "", "is_error": true}
  ]
}
)");
}

TEST_CASE("nothing that a text holds changes the nodes and links, and all of it is kept") {
  for (const std::string& text : kHostileTexts) {
    CAPTURE(text);
    Drawing drawing = small_graph();
    drawing.nodes[0].id = drawing.nodes[0].kind = drawing.groups[0].label = Door::own(text);
    drawing.edges[0].label = drawing.edges[0].relation = drawing.title = Door::own(text);
    drawing.nodes[1].lines = {Door::own(text)};
    drawing.nodes[1].properties.add("said", Door::own(text));
    GraphFile graph = read_d3(d3(std::move(drawing)));
    CHECK(graph.nodes.size() == 2);
    CHECK(graph.edges.size() == 2);
    CHECK(graph.nodes.at("agent:x")["label"] == text);
    CHECK(graph.nodes.at("agent:x")["said"] == text);
  }
}

TEST_CASE("groups of one name are groups of their own") {
  Drawing drawing;
  drawing.groups = {{"s1"}, {"main", 0}, {"main", 0}, {"s2"}, {"main", 3}};
  for (uint32_t group : {1u, 2u, 4u}) drawing.nodes.push_back(node("n", {}, {}, group));
  GraphFile graph = read_d3(d3(std::move(drawing)));
  CHECK(graph.nodes["n"]["group"] == "s1 / main");
  CHECK(graph.nodes["n~2"]["group"] == "s1 / main~2");
  CHECK(graph.nodes["n~3"]["group"] == "s2 / main");
}

TEST_CASE("properties keep clear of where d3 puts a node") {
  Drawing drawing;
  drawing.nodes = {node("id")};
  for (Text key : {Text("x"), Text("fx"), Text("index"), Text("group")})
    drawing.nodes[0].properties.add(key, int64_t{1});
  GraphFile graph = read_d3(d3(std::move(drawing)));
  CHECK(graph.nodes.at("id") ==
        Json{{"label", "id"}, {"x_2", 1}, {"fx_2", 1}, {"index_2", 1}, {"group_2", 1}});
}
