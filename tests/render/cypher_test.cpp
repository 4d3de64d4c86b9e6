#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <deque>
#include <limits>
#include <sstream>
#include <string>

#include "cypher_base.h"
#include "render/drawn.h"

using namespace xtrace;
using Json = nlohmann::json;

namespace {

std::string cypher(Drawing drawing) {
  return drawn(std::move(drawing), write_cypher);
}

CypherBase base_of(Drawing drawing) {
  CypherBase base;
  base.run(cypher(std::move(drawing)));
  return base;
}

Drawing::Node base_node(Text id, Text type = "Call", Text scope = {}) {
  Drawing::Node node;
  node.id = id;
  node.type = type;
  node.scope = scope;
  return node;
}

Drawing::Edge related(uint32_t from, uint32_t to, Text relation) {
  Drawing::Edge drawn = edge(from, to);
  drawn.relation = relation;
  return drawn;
}

/// Two calls and what they are to one another.
Drawing pair(Text relation) {
  Drawing drawing;
  drawing.nodes = {base_node("a"), base_node("b")};
  drawing.edges = {related(0, 1, relation)};
  return drawing;
}

/// What the database keeps of `text`.
std::string kept(std::string_view text) {
  Drawing drawing;
  drawing.nodes = {base_node("id")};
  drawing.nodes[0].lines = {Door::own(text)};
  std::string script = cypher(std::move(drawing));
  CypherBase base, replaced;
  base.run(script);
  replaced.run(with_escapes_replaced(script));
  CHECK(base == replaced);
  return base.nodes.at("dag|Call||id").at("label");
}

/// The properties of a node that has one, `key` with value `cell`.
Json base_properties(std::string_view key, Cell cell) {
  Drawing drawing;
  drawing.nodes = {base_node("id")};
  drawing.nodes[0].properties.add(Door::own(key), cell);
  Json all = base_of(std::move(drawing)).nodes.at("dag|Call||id");
  for (const char* own : {"id", "label", "labels"}) all.erase(own);
  return all;
}

/// `count` calls in a row, with names that live as long as this.
struct WideGraph {
  Drawing drawing;
  std::deque<std::string> names;

  explicit WideGraph(uint32_t count) {
    for (uint32_t at = 0; at < count; ++at) {
      drawing.nodes.push_back(
          base_node(Door::own(names.emplace_back("call" + std::to_string(at)))));
      if (at > 0) drawing.edges.push_back(related(at - 1, at, "NEXT"));
    }
  }
};

}  // namespace

TEST_CASE("a drawing becomes nodes with labels and relationships with types") {
  Drawing drawing;
  drawing.title = "run r1";
  drawing.groups = {{"session s1"}, {"main", 0}};
  drawing.nodes = {base_node("a"), {"agent:x", {"x"}, "agent"}};
  drawing.nodes[0].lines = {"Read ×2", "opus · 2s"};
  drawing.nodes[0].kind = "main";
  drawing.nodes[0].group = 1;
  drawing.nodes[0].error = drawing.nodes[0].critical = true;
  drawing.nodes[0].scope = "2026-01-10";
  drawing.edges = {related(0, 1, "CALLS")};
  drawing.edges[0].label = "Read";
  drawing.edges[0].times = 3;
  drawing.edges[0].properties.add("confidence", 0.5);
  CHECK(
      cypher(drawing) ==
      R"(CREATE CONSTRAINT xtrace_node_key IF NOT EXISTS FOR (n:XtraceNode) REQUIRE n.key IS UNIQUE;
UNWIND [
  {key: "dag|Call|2026-01-10|a", properties: {id: "a", kind: "main", label: "Read ×2", detail: "opus · 2s", group: ["run r1", "session s1", "main"], is_error: true, on_critical_path: true}}
] AS row
MERGE (n:XtraceNode {key: row.key})
SET n:Call, n += row.properties;
UNWIND [
  {key: "dag|Agent|run r1|agent:x", properties: {id: "agent:x", kind: "agent", label: "x", group: ["run r1"]}}
] AS row
MERGE (n:XtraceNode {key: row.key})
SET n:Agent, n += row.properties;
UNWIND [
  {from: "dag|Call|2026-01-10|a", to: "dag|Agent|run r1|agent:x", number: 1, properties: {label: "Read", times: 3, confidence: 0.5}}
] AS row
MATCH (a:XtraceNode {key: row.from})
MATCH (b:XtraceNode {key: row.to})
MERGE (a)-[r:CALLS {number: row.number}]->(b)
SET r += row.properties;
)");
}

TEST_CASE("nothing that a text holds ends its literal, and all of it is kept") {
  std::string text = GENERATE(
      as<std::string>{}, " ", "x'}) DETACH DELETE (n) //", "x\"}) MATCH (n) DETACH DELETE n //",
      "a`) CREATE (:Evil) //", "x\\'}) CREATE (:Evil) //", "ends with a backslash \\", "\\\\",
      "\\\"", "\\u0027}) CREATE (:Evil) //", "\\\\u0022", "\\U0001F600", "\\\\\\u005c",
      "; MATCH (n) DELETE n;", "$param", "a\nb\rc\td", "\x1b[31m\x7f", "a\u2028b\u2029c",
      "\u202egpj.exe", "\ufeff\uffff", "\U000e0041\U0010ffff", "😀 宽", "/* x", "// x",
      ":param x => 1", std::string(1 << 20, 'M'));
  CAPTURE(text.substr(0, 100));
  CHECK(kept(text) == text);
}

TEST_CASE("what a database cannot hold becomes a replacement character") {
  using namespace std::string_view_literals;
  CHECK(kept("a\0b"sv) == "a\uFFFDb");
  CHECK(kept("a\xff") == "a\uFFFD");
  CHECK(kept("\xed\xa0\x80") == "\uFFFD\uFFFD\uFFFD");  // half of a surrogate pair
}

TEST_CASE("quotes and backslashes are never written by their numbers, which Neo4j 5 reads first") {
  Drawing drawing;
  drawing.nodes = {base_node("\"'\\ \\u0022 \\U0022")};
  std::string script = cypher(std::move(drawing));
  for (std::string_view number : {"\\u0022", "\\u0027", "\\u005c"})
    CHECK_FALSE(contains(script, number));
  CHECK(contains(script, R"("\"\'\\ \\\u00750022 \\\u00550022")"));
}

TEST_CASE("more than 500 rows come in several statements") {
  CypherBase base = base_of(WideGraph(1201).drawing);
  CHECK(base.nodes.size() == 1201);
  CHECK(base.edges.size() == 1200);
  CHECK(base.statements == 3 + 3);
  CHECK(base.most_rows == 500);
  CHECK(base_of(WideGraph(500).drawing).statements == 1 + 1);
}

TEST_CASE("a script that is run twice changes nothing") {
  WideGraph crowd(3);
  Drawing drawing = std::move(crowd.drawing);
  drawing.edges.push_back(related(0, 1, "NEXT"));
  drawing.edges.push_back(related(1, 0, "NEXT"));
  drawing.edges.push_back(related(0, 1, "USED"));
  std::string script = cypher(std::move(drawing));
  CypherBase once, twice;
  once.run(script);
  twice.run(script);
  twice.run(script);
  CHECK(once.edges.size() == 5);
  CHECK(twice.nodes == once.nodes);
  CHECK(twice.edges == once.edges);
}

TEST_CASE("a log that has grown finds its nodes again and adds what is new") {
  WideGraph grown(4);
  CypherBase base;
  base.run(cypher(WideGraph(3).drawing));
  base.run(cypher(grown.drawing));
  CHECK(base.nodes.size() == 4);
  CHECK(base.edges.size() == 3);
}

TEST_CASE("equal ids of several runs, scopes, labels and views are nodes of their own") {
  Document document("dag");
  for (Text title : {Text("run r1"), Text("run r2")}) {
    Drawing drawing;
    drawing.title = title;
    drawing.nodes = {base_node("a"), base_node("a", "Agent"), base_node("a", "Call", "s"),
                     base_node("b")};
    drawing.edges = {edge(0, 3)};
    document.add(std::move(drawing));
  }
  std::ostringstream out;
  write_cypher(document, {}, out);
  CypherBase base;
  base.run(out.str());
  CHECK(base.nodes.contains("dag|Call|run r1|a"));
  CHECK(base.nodes.contains("dag|Call|run r2|a"));
  CHECK(base.nodes.contains("dag|Agent|run r1|a"));
  CHECK(base.nodes.contains("dag|Call|s|a"));
  CHECK(base.nodes.contains("dag|Call|s|a~2"));  // of the second run, which has the same scope
  CHECK(base.nodes.size() == 8);
  CHECK(base.edges.size() == 2);

  Document other("explain");
  Drawing drawing;
  drawing.title = "run r1";
  drawing.nodes = {base_node("a")};
  other.add(std::move(drawing));
  std::ostringstream more;
  write_cypher(other, {}, more);
  base.run(more.str());
  CHECK(base.nodes.size() == 9);
}

TEST_CASE("a scope that looks like the border of a key does not move it") {
  Drawing drawing;
  drawing.nodes = {base_node("c", "Call", "a|b"), base_node("b|c", "Call", "a"),
                   base_node("c", "Call", "a%7Cb")};
  CypherBase base = base_of(std::move(drawing));
  CHECK(base.nodes.size() == 3);
  CHECK(base.nodes.contains("dag|Call|a%7Cb|c"));
  CHECK(base.nodes.contains("dag|Call|a|b|c"));
}

TEST_CASE("ids that only a literal makes equal stay apart, and long ones fit an index") {
  std::string one(1 << 20, 'M'), other = one + "x";
  Drawing drawing;
  drawing.nodes = {base_node("a\xff"), base_node("a\xfe"), base_node(Door::own(one)),
                   base_node(Door::own(other))};
  CypherBase base = base_of(std::move(drawing));
  CHECK(base.nodes.size() == 4);
  for (const auto& [key, properties] : base.nodes) CHECK(key.size() < 1100);
}

TEST_CASE("labels come from a list, by the type of a node or else by its kind") {
  auto label = [](Text type, Text kind) {
    Drawing drawing;
    drawing.nodes = {base_node("id", type)};
    drawing.nodes[0].kind = kind;
    return base_of(std::move(drawing)).nodes.begin()->second.at("labels").begin().key();
  };
  CHECK(label("Call", "agent") == "Call");
  CHECK(label({}, "principal") == "Principal");
  CHECK(label({}, "text_unit") == "TextUnit");
  CHECK(label({}, "TextUnit") == "TextUnit");
  CHECK(label({}, "unknown") == "Other");
  CHECK(label({}, {}) == "Other");
  CHECK(label({}, "Evil) DETACH DELETE (n") == "Other");
}

TEST_CASE("a type is a word of the script only if it can be nothing but a name") {
  auto only = [](Text relation, bool told = true) {
    Drawing drawing = pair(relation);
    drawing.edges[0].told = told;
    return *base_of(std::move(drawing)).edges.begin();
  };
  auto type = [&](Text relation) { return std::get<1>(only(relation).first); };
  CHECK(std::get<1>(only("HAS_STEP", false).first) == "HAS_STEP");
  CHECK(only("HAS_STEP", false).second == Json::object());
  CHECK(type("MENTIONED_IN") == "MENTIONED_IN");
  CHECK(type("foundedBy2") == "foundedBy2");
  CHECK(type("DELETE") == "DELETE");
  std::string longest(64, 'M'), longer(65, 'M');
  CHECK(type(Door::own(longest)) == longest);
  for (std::string hostile :
       {"founded by", "]->(b) DELETE b //", "X`]->(b) DETACH DELETE b //", "X\\u0060", "größe", "",
        "2nd", "_x", "A:B", "A|B", "$(x)", "RELATED", "A\n", longer.c_str()}) {
    CAPTURE(hostile);
    CHECK(type(Door::own(hostile)) == "RELATED " + hostile);
    CHECK(only(Door::own(hostile)).second == Json{{"type", hostile}});
  }
}

TEST_CASE("types that are no names stay apart") {
  Drawing drawing = pair("a b");
  drawing.edges.push_back(related(0, 1, "c d"));
  CypherBase base = base_of(std::move(drawing));
  base.run(cypher(pair("c d")));
  CHECK(base.edges.size() == 2);
}

TEST_CASE("a log's own labels are names too, but none passes for what was recorded") {
  auto label = [](Text type) {
    Drawing drawing;
    drawing.nodes = {base_node("id", type)};
    drawing.nodes[0].told = true;
    return base_of(std::move(drawing)).nodes.begin()->second.at("labels").begin().key();
  };
  CHECK(label("Chunk") == "Chunk");
  CHECK(label("text_unit") == "TextUnit");
  CHECK(label("Query") == "Other");
  CHECK(label("XtraceNode") == "Other");
  CHECK(label("Chunk`) DETACH DELETE (n) //") == "Other");
}

TEST_CASE(
    "what a log tells of one thing is one node in all drawings, and in none of their groups") {
  Document document("trace");
  for (Text title : {Text("query q1"), Text("query q2")}) {
    Drawing drawing;
    drawing.title = title;
    drawing.nodes = {base_node("D", "Document", "p"), base_node("D", "Step", title)};
    drawing.nodes[0].told = true;
    drawing.edges = {related(1, 0, "USED")};
    document.add(std::move(drawing));
  }
  std::ostringstream out;
  write_cypher(document, {}, out);
  CypherBase base;
  base.run(out.str());
  CHECK(base.nodes.size() == 3);
  CHECK(base.edges.size() == 2);
  CHECK_FALSE(base.nodes.at("trace|Document|p|D").contains("group"));
}

TEST_CASE("names of properties are ours or made so") {
  CHECK(base_properties("tokens.input", int64_t{1}) == Json{{"tokens_input", 1}});
  CHECK(base_properties("costUsd", int64_t{1}) == Json{{"cost_usd", 1}});
  CHECK(base_properties("HTTPStatus", int64_t{1}) == Json{{"httpstatus", 1}});
  CHECK(base_properties("DELETE", int64_t{1}) == Json{{"delete", 1}});
  CHECK(base_properties("2nd", int64_t{1}) == Json{{"_2nd", 1}});
  CHECK(base_properties("", int64_t{1}) == Json{{"_", 1}});
  CHECK(base_properties("a`: 1}) //", int64_t{1}) == Json{{"a___1_____", 1}});
  CHECK(base_properties("größe", int64_t{1}) == Json{{"gr____e", 1}});
  CHECK(base_properties(std::string(1 << 20, 'm'), int64_t{1}).begin().key().size() == 100);
}

TEST_CASE("a name that is taken gets a number, so none of ours is overwritten") {
  CHECK(base_properties("id", Text("x")) == Json{{"id_2", "x"}});
  Drawing drawing;
  drawing.nodes = {base_node("id")};
  for (Text key : {Text("宽"), Text("高"), Text("高"), Text("长")})
    drawing.nodes[0].properties.add(key,
                                    static_cast<int64_t>(drawing.nodes[0].properties.items.size()));
  Json kept = base_of(std::move(drawing)).nodes.begin()->second;
  CHECK(kept["___"] == 0);
  CHECK(kept["____2"] == 2);  // of equal keys the last
  CHECK(kept["____3"] == 3);
}

TEST_CASE("values keep their types, and what is unknown is left out") {
  Texts texts{"a", "b\""};
  Integers numbers{1, -2};
  CHECK(base_properties("x", true) == Json{{"x", true}});
  CHECK(base_properties("x", std::numeric_limits<int64_t>::min()) ==
        Json{{"x", std::numeric_limits<int64_t>::min()}});
  CHECK(base_properties("x", 2.0).dump() == R"({"x":2.0})");
  CHECK(base_properties("x", 1e30) == Json{{"x", 1e30}});
  CHECK(base_properties("x", 2.5e-7) == Json{{"x", 2.5e-7}});
  CHECK(base_properties("x", Duration(1'500'000)) == Json{{"x", 1.5}});
  CHECK(base_properties("x", Moment{Time(Duration(0)), 3}) ==
        Json{{"x", "1970-01-01T00:00:00.000Z"}});
  CHECK(base_properties("x", &texts) == Json{{"x", {"a", "b\""}}});
  CHECK(base_properties("x", &numbers) == Json{{"x", {1, -2}}});
  CHECK(base_properties("x", Cell()) == Json::object());
  CHECK(base_properties("x", nullptr) == Json::object());
  CHECK(base_properties("x", std::nan("")) == Json::object());
  CHECK(base_properties("x", std::numeric_limits<double>::infinity()) == Json::object());
}

TEST_CASE("lists of lists and objects, which no property can be, become JSON") {
  TextLists lists{{"a"}, {"b", "\"c\""}};
  Entries entries;
  entries.add("k\n", Text("v\\"));
  CHECK(Json::parse(base_properties("x", &lists)["x"].get<std::string>()) ==
        Json{{"a"}, {"b", "\"c\""}});
  CHECK(Json::parse(base_properties("x", &entries)["x"].get<std::string>()) ==
        Json{{"k\n", "v\\"}});
}

TEST_CASE("of very many groups in one another a node names the nearest") {
  Drawing drawing;
  for (uint32_t at = 0; at < 2000; ++at) {
    drawing.groups.push_back(
        {at == 1999 ? Text("last") : Text("g"), at == 0 ? Drawing::kNone : at - 1});
    drawing.nodes.push_back({"n", {}, {}, at});
  }
  std::string script = cypher(std::move(drawing));
  CHECK(script.size() < 1'000'000);
  CypherBase base;
  base.run(script);
  CHECK(base.nodes.size() == 2000);
  CHECK(base.nodes.at("dag|Other||n~2000").at("group").back() == "last");
}

TEST_CASE("an answer without anything in it makes a constraint and nothing else") {
  CypherBase base = base_of({});
  CHECK(base.statements == 0);
  CHECK(base.nodes.empty());
}

TEST_CASE("the base that stands in for Neo4j refuses what no script of ours may hold") {
  std::string script =
      GENERATE(as<std::string>{}, "MATCH (n) DELETE n;\n",
               "UNWIND [\n  {key: \"a\", properties: {}}\n] AS row\nMERGE (n:XtraceNode {key: "
               "row.key})\nSET n:Evil, n += row.properties;\n",
               "UNWIND [\n  {key: \"a\"}) //\", properties: {}}\n] AS row\nMERGE (n:XtraceNode "
               "{key: row.key})\nSET n:Call, n += row.properties;\n",
               "UNWIND [\n  {key: \"a\", properties: {`x`: 1}}\n] AS row\nMERGE (n:XtraceNode "
               "{key: row.key})\nSET n:Call, n += row.properties;\n",
               "UNWIND [\n  {key: \"a\", properties: {x: [[1]]}}\n] AS row\nMERGE (n:XtraceNode "
               "{key: row.key})\nSET n:Call, n += row.properties;\n");
  CypherBase base;
  CHECK_THROWS(base.run(cypher({}) + script));
}
