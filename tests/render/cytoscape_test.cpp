#include <catch2/catch.hpp>
#include <string>

#include "graph_files.h"
#include "render/sample_graph.h"

using namespace xtrace;
using Json = nlohmann::json;

namespace {

std::string cytoscape(Drawing drawing) {
  return drawn(std::move(drawing), write_cytoscape);
}

/// The properties of a node that has one, `key` with value `cell`.
Json properties(Text key, Cell cell) {
  Drawing drawing;
  drawing.nodes = {node("id")};
  drawing.nodes[0].properties.add(key, cell);
  Json all = read_cytoscape(cytoscape(std::move(drawing))).nodes.at("id");
  all.erase("label");
  return all;
}

}  // namespace

TEST_CASE("a drawing becomes elements of Cytoscape.js, its groups nodes around nodes") {
  CHECK(cytoscape(small_graph()) == R"({
  "data": {"title": "run r1"},
  "elements": {
    "nodes": [
      {"data": {"id": "g1", "label": "session s1"}, "classes": "group"},
      {"data": {"id": "g2", "parent": "g1", "label": "main"}, "classes": "group"},
      {"data": {"id": "a", "parent": "g2", "label": "Read ×2\nopus · 2s", "kind": "main", "type": "Call", "is_error": true, "on_critical_path": true, "timestamp": "1970-01-01T00:00:00.000Z", "duration_ms": 1.5, "tokens_input": 12, "cost_usd": 0.0025}, "classes": "error critical main"},
      {"data": {"id": "agent:x", "label": "x", "kind": "agent"}, "classes": "agent"}
    ],
    "edges": [
      {"data": {"id": "e1", "source": "a", "target": "agent:x", "label": "Read", "relation": "CALLS", "times": 3, "confidence": 0.5}},
      {"data": {"id": "e2", "source": "a", "target": "agent:x", "label": "", "is_error": true}, "classes": "error dotted"}
    ]
  }
}
)");
}

TEST_CASE("an answer without anything in it has no elements") {
  CHECK(cytoscape({}) == R"({
  "elements": {
    "nodes": [],
    "edges": []
  }
}
)");
}

TEST_CASE("nothing that a text holds changes the elements, and all of it is kept") {
  for (const std::string& text : kHostileTexts) {
    CAPTURE(text);
    Drawing drawing = small_graph();
    drawing.nodes[0].id = drawing.nodes[0].kind = drawing.groups[0].label = Door::own(text);
    drawing.edges[0].label = drawing.edges[0].relation = drawing.title = Door::own(text);
    drawing.nodes[1].lines = {Door::own(text)};
    GraphFile graph = read_cytoscape(cytoscape(std::move(drawing)));
    CHECK(graph.nodes.size() == 2);
    CHECK(graph.edges.size() == 2);
    CHECK(graph.groups.size() == 2);
    CHECK(graph.nodes.at("agent:x")["label"] == text);
  }
}

TEST_CASE("characters that act on a terminal are written as escapes") {
  Drawing drawing;
  drawing.nodes = {node("id", {"\x1b[31m\u202e"})};
  std::string written = cytoscape(std::move(drawing));
  CHECK(contains(written, R"("label": "\u001b[31m\u202e")"));
}

TEST_CASE("no kind gives a node a class of ours, and each class is a word") {
  auto classes = [](Text kind) {
    Drawing drawing;
    drawing.nodes = {node("id", {}, kind)};
    return read_cytoscape(cytoscape(std::move(drawing))).nodes.at("id").value("classes", "");
  };
  CHECK(classes("general-purpose") == "general_purpose");
  CHECK(classes("TextUnit") == "text_unit");
  CHECK(classes("x\" error") == "x__error");
  CHECK(classes("error") == "");
  CHECK(classes("Critical") == "");
  CHECK(classes("group") == "");
  CHECK(classes({}) == "");
}

TEST_CASE("properties cannot be taken for fields by which a library keeps an element") {
  Texts texts{"a", "b"};
  CHECK(properties("tokens.input", int64_t{1}) == Json{{"tokens_input", 1}});
  CHECK(properties("parent", Text("g1")) == Json{{"parent_2", "g1"}});
  CHECK(properties("source", Text("id")) == Json{{"source_2", "id"}});
  CHECK(properties("x", int64_t{1}) == Json{{"x_2", 1}});
  CHECK(properties("models", &texts) == Json{{"models", {"a", "b"}}});
  CHECK(properties("big", int64_t{1} << 60) == Json{{"big", "1152921504606846976"}});
}

TEST_CASE("a key has one name in all the graph, and of equal keys the last counts") {
  Drawing drawing;
  drawing.nodes = {node("a"), node("b")};
  for (Text key : {Text("k.v"), Text("k_v"), Text("k_v")})
    drawing.nodes[0].properties.add(key,
                                    static_cast<int64_t>(drawing.nodes[0].properties.items.size()));
  drawing.nodes[1].properties.add("k_v", int64_t{3});
  GraphFile graph = read_cytoscape(cytoscape(std::move(drawing)));
  CHECK(graph.nodes["a"] == Json{{"label", "a"}, {"k_v", 0}, {"k_v_2", 2}});
  CHECK(graph.nodes["b"] == Json{{"label", "b"}, {"k_v_2", 3}});
}

TEST_CASE("each of several drawings is a group, and equal ids stay apart") {
  Document document("dag");
  for (Text title : {Text("run r1"), Text("run r2"), Text("no node")}) {
    Drawing drawing;
    drawing.title = title;
    if (title != Text("no node")) {
      drawing.groups = {{"main"}};
      drawing.nodes = {node("a"), node("b", {}, {}, 0)};
      drawing.edges = {edge(0, 1)};
    }
    document.add(std::move(drawing));
  }
  std::ostringstream out;
  write_cytoscape(document, {}, out);
  GraphFile graph = read_cytoscape(out.str());
  CHECK(graph.groups.size() == 4);
  CHECK(graph.groups["g3"] == Json{{"label", "run r2"}, {"classes", "group"}});
  CHECK(graph.nodes["a~2"] == Json{{"label", "a~2"}, {"parent", "g3"}});
  CHECK(graph.nodes["b~2"] == Json{{"label", "b~2"}, {"parent", "g4"}});
  CHECK(graph.edges["e2"] == Json{{"source", "a~2"}, {"target", "b~2"}, {"label", ""}});
}

TEST_CASE("of very many groups in one another a few stay in one another") {
  Drawing drawing;
  for (uint32_t at = 0; at < 2000; ++at) {
    drawing.groups.push_back({"g", at == 0 ? Drawing::kNone : at - 1});
    drawing.nodes.push_back(node("n", {}, {}, at));
  }
  std::string text = cytoscape(std::move(drawing));
  GraphFile graph = read_cytoscape(text);
  CHECK(graph.nodes.size() == 2000);
  CHECK(graph.groups.size() == 2000);
  for (auto [id, group] : graph.groups) {
    size_t depth = 0;
    for (; group.contains("parent"); group = graph.groups[group["parent"]]) ++depth;
    CHECK(depth < 16);
  }
}
