#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "graph_files.h"
#include "render/sample_graph.h"

using namespace xtrace;
using Json = nlohmann::json;

namespace {

std::string graphml(Drawing drawing) {
  return drawn(std::move(drawing), write_graphml);
}

/// The label that is read of a node with this one.
std::string read_back(std::string_view text) {
  Drawing drawing;
  drawing.nodes = {node("id", {Door::own(text)})};
  return read_graphml(graphml(std::move(drawing))).nodes.at("id").value("label", "");
}

/// The type declared for a key whose cells are these, and how the last is read.
std::pair<std::string, Json> typed(std::initializer_list<Cell> cells) {
  Drawing drawing;
  for (const Cell& cell : cells) {
    drawing.nodes.push_back(node("n"));
    drawing.nodes.back().properties.add("x.y", cell);
  }
  std::string text = graphml(std::move(drawing));
  Json last = Json::object();
  for (const auto& [id, fields] : read_graphml(text).nodes) last = fields;
  for (const XmlElement& child : read_xml(text).children)
    if (child.name == "key" && child.attributes.at("attr.name") == "x_y")
      return {child.attributes.at("attr.type"), last.value("x_y", Json())};
  return {};
}

}  // namespace

TEST_CASE("a drawing becomes GraphML with a key for each property, and groups as paths") {
  CHECK(graphml(small_graph()) == R"(<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="graph_title" for="graph" attr.name="title" attr.type="string"/>
  <key id="node_group" for="node" attr.name="group" attr.type="string"/>
  <key id="node_label" for="node" attr.name="label" attr.type="string"/>
  <key id="node_kind" for="node" attr.name="kind" attr.type="string"/>
  <key id="node_type" for="node" attr.name="type" attr.type="string"/>
  <key id="node_is_error" for="node" attr.name="is_error" attr.type="boolean"/>
  <key id="node_on_critical_path" for="node" attr.name="on_critical_path" attr.type="boolean"/>
  <key id="node_timestamp" for="node" attr.name="timestamp" attr.type="string"/>
  <key id="node_duration_ms" for="node" attr.name="duration_ms" attr.type="double"/>
  <key id="node_tokens_input" for="node" attr.name="tokens_input" attr.type="long"/>
  <key id="node_cost_usd" for="node" attr.name="cost_usd" attr.type="double"/>
  <key id="edge_label" for="edge" attr.name="label" attr.type="string"/>
  <key id="edge_relation" for="edge" attr.name="relation" attr.type="string"/>
  <key id="edge_times" for="edge" attr.name="times" attr.type="long"/>
  <key id="edge_confidence" for="edge" attr.name="confidence" attr.type="double"/>
  <key id="edge_is_error" for="edge" attr.name="is_error" attr.type="boolean"/>
  <graph edgedefault="directed">
    <data key="graph_title">run r1</data>
    <node id="a"><data key="node_group">session s1 / main</data><data key="node_label">Read ×2&#10;opus · 2s</data><data key="node_kind">main</data><data key="node_type">Call</data><data key="node_is_error">true</data><data key="node_on_critical_path">true</data><data key="node_timestamp">1970-01-01T00:00:00.000Z</data><data key="node_duration_ms">1.5</data><data key="node_tokens_input">12</data><data key="node_cost_usd">0.0025</data></node>
    <node id="agent:x"><data key="node_label">x</data><data key="node_kind">agent</data></node>
    <edge id="e1" source="a" target="agent:x"><data key="edge_label">Read</data><data key="edge_relation">CALLS</data><data key="edge_times">3</data><data key="edge_confidence">0.5</data></edge>
    <edge id="e2" source="a" target="agent:x"><data key="edge_is_error">true</data></edge>
  </graph>
</graphml>
)");
}

TEST_CASE("nothing that a text holds is markup in GraphML, and all of it is kept") {
  for (const std::string& text : kHostileTexts) {
    CAPTURE(text);
    CHECK(read_back(text) == text);
    Drawing drawing = small_graph();
    drawing.nodes[0].id = drawing.nodes[0].kind = drawing.groups[0].label = Door::own(text);
    drawing.edges[0].label = drawing.edges[0].relation = drawing.title = Door::own(text);
    drawing.nodes[0].properties.add(Door::own(text), Door::own(text));
    GraphFile graph = read_graphml(graphml(std::move(drawing)));
    CHECK(graph.nodes.size() == 2);
    CHECK(graph.edges.size() == 2);
  }
}

TEST_CASE("what XML cannot hold is replaced, and what acts on the reader is spelt out") {
  using namespace std::string_view_literals;
  CHECK(read_back("a\0b\x01\x1b[31m"sv) == "a\uFFFDb\uFFFD\uFFFD[31m");
  CHECK(read_back("\x7f\u0085\u009b") == "\uFFFD\uFFFD\uFFFD");
  CHECK(read_back("\ufffe\uffff") == "\uFFFD\uFFFD");
  CHECK(read_back("a\xff") == "a\uFFFD");
  CHECK(read_back("\xed\xa0\x80") == "\uFFFD\uFFFD\uFFFD");  // half of a surrogate pair
  CHECK(read_back("safe\u202etxt.exe") == "safe\\u202etxt.exe");
  CHECK(read_back("a\u2028b\ufeff") == "a\\u2028b\\ufeff");
}

TEST_CASE("a key is of the type that holds all its values") {
  Texts texts{"a", "b"};
  Integers numbers{1, -2};
  TextLists lists{{"a"}, {"b"}};
  auto is = [](const std::string& type, const Json& value) { return std::pair(type, value); };
  CHECK(typed({true}) == is("boolean", true));
  CHECK(typed({int64_t{7}}) == is("long", 7));
  CHECK(typed({std::numeric_limits<int64_t>::min()}) ==
        is("long", std::numeric_limits<int64_t>::min()));
  CHECK(typed({1e30}) == is("double", 1e30));
  CHECK(typed({0.5, int64_t{7}}) == is("double", 7));
  CHECK(typed({int64_t{7}, Duration(1'500'000)}) == is("double", 1.5));
  CHECK(typed({true, int64_t{7}}) == is("string", "7"));
  CHECK(typed({Text("x"), true}) == is("string", "true"));
  CHECK(typed({Moment{Time(Duration(0)), 0}}) == is("string", "1970-01-01T00:00:00Z"));
  CHECK(typed({&texts}) == is("string", "a, b"));
  CHECK(typed({&numbers}) == is("string", "1, -2"));
  CHECK(typed({&lists}) == is("string", R"([["a"], ["b"]])"));
  CHECK(typed({Cell(), nullptr, std::nan(""), std::numeric_limits<double>::infinity()}) ==
        std::pair<std::string, Json>());
}

TEST_CASE("ids that look the same when they are printed stay apart") {
  Drawing drawing;
  drawing.nodes = {node("e1"), node("a\xff"), node("a\xfe"), node(""),
                   node("g1"), node("e1"),    node("e1~2")};
  drawing.edges = {edge(0, 5), edge(5, 0), edge(3, 3)};
  GraphFile graph = read_graphml(graphml(std::move(drawing)));
  CHECK(graph.nodes.size() == 7);
  CHECK(graph.nodes.contains("?"));
  CHECK(graph.edges.at("e2") == Json{{"source", "e1~2"}, {"target", "e1"}});
}
