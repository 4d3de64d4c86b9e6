#include <graphviz/cgraph.h>

#include <catch2/catch.hpp>
#include <deque>
#include <memory>
#include <sstream>
#include <string>

#include "render/drawn.h"
#include "render/sample_graph.h"

using namespace xtrace;

namespace {

std::string dot(Drawing drawing) {
  return drawn(std::move(drawing), write_dot);
}

/// What Graphviz reads.
class DotGraph {
 public:
  explicit DotGraph(const std::string& text) : graph_(agmemread(text.c_str()), agclose) {}
  explicit operator bool() const { return graph_ != nullptr; }
  int nodes() const { return agnnodes(graph_.get()); }
  int edges() const { return agnedges(graph_.get()); }
  /// Of the node called `name`.
  std::string of(const char* name, const char* key) const {
    Agnode_t* node = agnode(graph_.get(), const_cast<char*>(name), 0);
    return node ? value(node, key) : "no such node";
  }
  std::string first(const char* key) const { return value(agfstnode(graph_.get()), key); }
  std::string first_edge(const char* key) const {
    return value(agfstout(graph_.get(), agfstnode(graph_.get())), key);
  }

 private:
  static std::string value(void* thing, const char* key) {
    return agget(thing, const_cast<char*>(key));
  }
  std::unique_ptr<Agraph_t, int (*)(Agraph_t*)> graph_;
};

/// A drawing whose every text is `text`: a node in a group with an edge to itself.
Drawing only(std::string_view text) {
  Text t = Door::own(text);
  Drawing drawing;
  drawing.title = t;
  drawing.groups = {{t}};
  drawing.nodes = {{t, {t}, t, 0}};
  drawing.edges = {{0, 0, t}};
  return drawing;
}

}  // namespace

TEST_CASE("a drawing becomes a graph of the same nodes and edges") {
  Drawing drawing;
  drawing.groups = {{"main"}, {"Explore", 0}};
  drawing.nodes = {{"a", {"Read"}, "main", 0}, {"b", {"Grep"}, "Explore", 1}, {"c", {}, "main"}};
  drawing.edges = {{0, 1, "spawn", {}, Drawing::Stroke::dashed}, edge(1, 2), edge(1, 2)};
  DotGraph graph(dot(drawing));
  REQUIRE(graph);
  CHECK(graph.nodes() == 3);
  CHECK(graph.edges() == 3);
  CHECK(graph.of("a", "label") == "Read\\nmain");  // the outermost group has no name
  CHECK(graph.of("b", "label") == "Explore\\nGrep");
  CHECK(graph.of("c", "label") == "c");
}

TEST_CASE("a stroke is drawn as it is called") {
  Drawing drawing;
  drawing.nodes = {node("a")};
  drawing.edges = {edge(0, 0)};
  CHECK(DotGraph(dot(drawing)).first_edge("style") == "solid");
  drawing.edges[0].stroke = Drawing::Stroke::dashed;
  CHECK(DotGraph(dot(drawing)).first_edge("style") == "dashed");
  drawing.edges[0].stroke = Drawing::Stroke::dotted;
  CHECK(DotGraph(dot(drawing)).first_edge("style") == "dotted");
}

TEST_CASE("lines of a label stand below one another") {
  Drawing drawing;
  drawing.nodes = {node("a", {"Read", "opus · 2s"})};
  CHECK(DotGraph(dot(drawing)).first("label") == "Read\\nopus · 2s");
}

TEST_CASE("a node without a label shows its id") {
  Drawing drawing;
  drawing.nodes = {node("msg_1")};
  CHECK(DotGraph(dot(drawing)).first("label") == "msg_1");
}

TEST_CASE("principals, agents and resources have their own colours and shapes") {
  Drawing drawing;
  drawing.nodes = {{"u", {}, "principal"}};
  CHECK(DotGraph(dot(drawing)).first("fillcolor") == "#BFDBEB");
  CHECK(DotGraph(dot(drawing)).first("shape") == "ellipse");
  drawing.nodes = {{"a", {}, "agent"}};
  CHECK(DotGraph(dot(drawing)).first("fillcolor") == "#BFE3D9");
  drawing.nodes = {{"r", {}, "resource"}};
  CHECK(DotGraph(dot(drawing)).first("fillcolor") == "#ECDEBF");
  CHECK(DotGraph(dot(drawing)).first("shape") == "cylinder");
}

TEST_CASE("an error is red, on an edge dashed as well") {
  Drawing drawing;
  drawing.nodes = {{"a", {}, {}, Drawing::kNone, true}};
  drawing.edges = {{0, 0, {}, {}, Drawing::Stroke::solid, true}};
  DotGraph graph(dot(drawing));
  CHECK(graph.first("color") == "#D32F2F");
  CHECK(graph.first_edge("color") == "#D32F2F");
  CHECK(graph.first_edge("style") == "dashed");
}

TEST_CASE("an edge that stands for several says how many") {
  Drawing drawing;
  drawing.nodes = {node("a")};
  drawing.edges = {{0, 0, "Read", {}, Drawing::Stroke::solid, false, 12}};
  CHECK(DotGraph(dot(drawing)).first_edge("label") == " Read (x12)");
  drawing.edges[0].label = {};
  CHECK(DotGraph(dot(drawing)).first_edge("label") == " (x12)");
}

TEST_CASE("Graphviz finds neither escapes nor entities nor HTML in a text") {
  CHECK(DotGraph(dot(only("\\N \\G"))).first("label") == "\\\\N \\\\G\\n\\\\N \\\\G");
  CHECK(DotGraph(dot(only("&lt;"))).first("label") == "&amp;lt;\\n&amp;lt;");
  CHECK(contains(dot(only("<b>x</b>")), "label=\" <b>x</b>\""));
}

TEST_CASE("whatever a text holds, the graph stays the same") {
  std::string text = GENERATE(
      as<std::string>{}, "", " ", "C:\\dir\\", "\\", "\"", "\\\"", "a\"];b->c;", "<<b>x</b>>",
      "graph", "%3", "a:n", "};digraph evil{a->b}", "a\nb", "\x1b[31m", "a\xff", "\u202egpj.exe",
      std::string(1 << 20, 'M'), std::string(126, 'x') + std::string(40, '\\'));
  std::string drawn = dot(only(text));
  CAPTURE(text.substr(0, 100));
  DotGraph graph(drawn);
  REQUIRE(graph);
  CHECK(graph.nodes() == 1);
  CHECK(graph.edges() == 1);
  CHECK(drawn.find_first_of("\x1b\xff") == std::string::npos);
  CHECK_FALSE(contains(drawn, "\u202e"));
  CHECK(drawn.size() < 5000);
}

TEST_CASE("ids that would print the same stay apart") {
  Drawing drawing;
  drawing.nodes = {node("a\x01"), node("a\\x01"), node("b")};
  std::string drawn = dot(drawing);
  CHECK(DotGraph(drawn).nodes() == 3);
  CHECK(contains(drawn, "\"a\\\\x01~2\""));
}

TEST_CASE("several drawings share one graph") {
  Document document("dag");
  for (int run = 0; run < 2; ++run) {
    Drawing drawing;
    drawing.nodes = {node("a"), node("b")};
    drawing.edges = {edge(0, 1)};
    document.add(std::move(drawing));
  }
  std::ostringstream out;
  write_dot(document, {}, out);
  CHECK(DotGraph(out.str()).nodes() == 4);
  CHECK(DotGraph(out.str()).edges() == 2);
}

TEST_CASE("the first node of a group bears the group's name") {
  Drawing drawing;
  drawing.groups = {{"session s1"}, {"main", 0}, {"Explore", 0}};
  drawing.nodes = {node("a"), node("b"), node("c")};
  drawing.nodes[0].group = drawing.nodes[1].group = 1;
  drawing.nodes[2].group = 2;
  std::string drawn = dot(drawing);
  CHECK(contains(drawn, "label=\"main\\na\""));
  CHECK(contains(drawn, "label=\"Explore\\nc\""));
  CHECK_FALSE(contains(drawn, "main\\nb"));
  // The one group around all others would say nothing that the page does not.
  CHECK_FALSE(contains(drawn, "session s1"));
}

TEST_CASE("very many groups in one another do no harm") {
  std::deque<std::string> ids;
  Drawing drawing;
  for (uint32_t at = 0; at < 2000; ++at) {
    // Each in the one before: deeper than any stack, were it drawn so.
    drawing.groups.push_back({"g", at == 0 ? Drawing::kNone : at - 1});
    drawing.nodes.push_back({Door::own(ids.emplace_back(std::to_string(at))), {}, {}, at});
  }
  CHECK(DotGraph(dot(drawing)).nodes() == 2000);
}

TEST_CASE("a kind has one colour, whatever else a picture shows") {
  Drawing drawing;
  drawing.nodes = {{"a", {}, "reviewer"}};
  std::string alone = DotGraph(dot(drawing)).of("a", "fillcolor");
  drawing.nodes = {{"x", {}, "Explore"}, {"y", {}, "writer"}, {"a", {}, "reviewer"}};
  CHECK(DotGraph(dot(drawing)).of("a", "fillcolor") == alone);
}

TEST_CASE("an agent wears the colour that its log gives it, and nothing else that it gives") {
  Drawing drawing;
  drawing.nodes = {{"a", {}, "Explore"}};
  drawing.nodes[0].colour = "#ff0000";
  CHECK(DotGraph(dot(drawing)).first("color") == "#FF0000");
  CHECK(DotGraph(dot(drawing)).first("fillcolor") == "#FFBFBF");
  drawing.nodes[0].colour = "cyan";
  CHECK(DotGraph(dot(drawing)).first("color") == "#4DD0E1");
  for (Text hostile : {Text("#ff000"), Text("#gggggg"), Text("url(x)"), Text("red;x:y"),
                       Text("#ff0000\"];evil")}) {
    drawing.nodes[0].colour = hostile;
    CHECK(DotGraph(dot(drawing)).first("color") == "#4590ba");
    CHECK_FALSE(contains(dot(drawing), "evil"));
  }
}

TEST_CASE("the first element that bears a sign says what it means, and none is added") {
  Drawing drawing;
  drawing.nodes = {{"a", {"Read"}, "main"}, {"b", {"Grep"}, "<b>&"}, {"c", {"main#2"}, "main"}};
  drawing.nodes[1].error = true;
  drawing.nodes[2].critical = true;
  drawing.edges = {{0, 1, {}, {}, Drawing::Stroke::dashed},
                   {0, 2, {}, {}, Drawing::Stroke::dashed},
                   {1, 2, "retry", {}, Drawing::Stroke::faint},
                   {0, 2, {}, {}, Drawing::Stroke::faint}};
  drawing.meanings = {{Drawing::Stroke::dashed, "to a subagent"},
                      {Drawing::Stroke::faint, "goes on"}};
  drawing.note = "2 of 9";
  std::string text = dot(drawing);
  DotGraph graph(text);
  CHECK(graph.nodes() == 3);
  CHECK(graph.edges() == 4);
  CHECK(graph.of("a", "label") == "Read\\nmain");
  CHECK(graph.of("b", "label") == "Grep\\n<b>&amp; · failed");
  CHECK(graph.of("c", "label") == "main#2\\ncritical path");
  CHECK(text.find("to a subagent") == text.rfind("to a subagent"));
  CHECK(contains(text, "to a subagent"));
  CHECK_FALSE(contains(text, "goes on"));  // an edge of its stroke has a label
  CHECK_FALSE(contains(text, "uncertain"));
  CHECK(contains(text, "label=\"2 of 9\""));
  CHECK_FALSE(contains(text, "=<"));
}

TEST_CASE("a single kind, and one that a group names, needs no caption") {
  Drawing drawing;
  drawing.nodes = {{"a", {"Read"}, "main"}};
  CHECK(DotGraph(dot(drawing)).of("a", "label") == "Read");
  CHECK_FALSE(contains(dot(drawing), "graph ["));
  drawing.groups = {{"Explore#1"}, {"main"}};
  drawing.nodes = {{"a", {"Read"}, "main", 1}, {"b", {"Grep"}, "Explore", 0}};
  CHECK(DotGraph(dot(drawing)).of("b", "label") == "Explore#1\\nGrep");
}

TEST_CASE("arrows lead down where that fits a page, else to the right") {
  Drawing drawing;
  drawing.nodes = {node("root")};
  std::deque<std::string> ids;
  for (uint32_t at = 1; at < 5; ++at) {
    drawing.nodes.push_back(node(Door::own(ids.emplace_back("a leaf " + std::to_string(at)))));
    drawing.edges.push_back(edge(0, at));
  }
  CHECK_FALSE(contains(dot(drawing), "rankdir"));
  for (uint32_t at = 5; at < 30; ++at) {
    drawing.nodes.push_back(node(Door::own(ids.emplace_back("a leaf " + std::to_string(at)))));
    drawing.edges.push_back(edge(0, at));
  }
  CHECK(contains(dot(drawing), "rankdir=LR"));
  Document document("dag");
  document.add(drawing);
  std::ostringstream out;
  write_dot(document, {.direction = Direction::down}, out);
  CHECK_FALSE(contains(out.str(), "rankdir"));
}

TEST_CASE("the pointer finds the id, what a label cuts, and where the record stands") {
  Drawing drawing;
  drawing.nodes = {
      node("req_1", {"a short line", "a line that is too long for any box to hold whole"})};
  drawing.nodes[0].tip = "log.jsonl:7";
  CHECK(DotGraph(dot(drawing)).first("tooltip") ==
        "req_1\\na line that is too long for any box to hold whole\\nlog.jsonl:7");
}
