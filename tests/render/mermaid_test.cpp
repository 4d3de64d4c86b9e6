#include <catch2/catch.hpp>
#include <deque>
#include <sstream>
#include <string>

#include "render/drawn.h"

using namespace xtrace;

namespace {

std::string mermaid(Drawing drawing) {
  return drawn(std::move(drawing), write_mermaid);
}

size_t count(const std::string& text, std::string_view part) {
  size_t times = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
  return times;
}

/// The label of the only node, drawn as `text`.
std::string label(std::string_view text) {
  Drawing drawing;
  drawing.nodes = {{"id", {Door::own(text)}, "agent"}};
  std::string drawn = mermaid(drawing);
  size_t start = drawn.find("n1[\"") + 4;
  return drawn.substr(start, drawn.find("\"]", start) - start);
}

/// `nodes` nodes, in `groups` groups if any, with names that live as long as this.
struct Crowd {
  Drawing drawing;
  std::deque<std::string> names;

  Crowd(uint32_t nodes, uint32_t groups) {
    for (uint32_t at = 0; at < groups; ++at) drawing.groups.push_back({name("group", at)});
    for (uint32_t at = 0; at < nodes; ++at)
      drawing.nodes.push_back({name("id", at),
                               {name("call", at)},
                               "main",
                               groups == 0 ? Drawing::kNone : at * groups / nodes});
  }
  Text name(const char* word, uint32_t at) {
    return Door::own(names.emplace_back(word + std::to_string(at)));
  }
  void chain() {
    for (uint32_t at = 1; at < drawing.nodes.size(); ++at)
      drawing.edges.push_back(edge(at - 1, at));
  }
};

size_t edges(const std::string& drawn) {
  return count(drawn, "-->") + count(drawn, "-.->");
}

}  // namespace

TEST_CASE("a flowchart has ids of its own, frames for groups and a class for each kind") {
  Drawing drawing;
  drawing.groups = {{"main"}};
  drawing.nodes = {{"end", {"Read ×2", "opus-4-5 · 12.6s"}, "Explore", 0},
                   {"x", {"db"}, "resource"}};
  drawing.edges = {{0, 1, "Read", {}, Drawing::Stroke::solid, false, 3}};
  std::string text = mermaid(drawing);
  CHECK(text.substr(text.find("flowchart TB")) == R"mmd(flowchart TB
  n2[("db<br/>resource")]:::k3
  subgraph g1["main"]
    direction TB
    n1("Read ×2<br/>opus-4-5 · 12.6s<br/>Explore"):::k2
  end
  n1 -->|"Read (x3)"| n2
  classDef k2 fill:#D0E3ED,stroke:#4590ba,color:#263238
  classDef k3 fill:#ECDEBF,stroke:#b67e00,color:#263238
  classDef frame fill:#FAFAFA,stroke:#CFD8DC,color:#78909C
  class g1 frame
)mmd");
}

TEST_CASE("errors are red, dashed edges dashed and dotted ones dotted") {
  Drawing drawing;
  drawing.nodes = {{"a", {}, {}, Drawing::kNone, true}, {"b", {}, {}, Drawing::kNone, false, true}};
  drawing.edges = {{0, 1, {}, {}, Drawing::Stroke::solid, true},
                   {0, 1, {}, {}, Drawing::Stroke::dashed},
                   {0, 1, {}, {}, Drawing::Stroke::dotted},
                   edge(0, 1)};
  std::string drawn = mermaid(drawing);
  CHECK(count(drawn, "n1 -.->") == 3);
  CHECK(contains(drawn, "n1 -.->|\"uncertain\"| n2"));
  CHECK(count(drawn, "n1 --> n2") == 1);
  CHECK(contains(drawn, "linkStyle 0 stroke:#D32F2F,color:#D32F2F,stroke-dasharray:6\n"));
  CHECK(contains(drawn, "linkStyle 1 stroke-dasharray:6\n"));
  CHECK(contains(drawn, "class n1 error\n"));
  CHECK(contains(drawn, "class n2 critical\n"));
}

TEST_CASE("a label is nothing but text to Mermaid, Markdown and HTML") {
  CHECK(label("Edit src/main.cpp, 12.6s") == "Edit src/main.cpp, 12.6s");
  CHECK(label("\"<b>&#") == "#quot;#lt;b#gt;#amp;#35;");
  CHECK(label("`x`") == "#96;x#96;");
  CHECK(label("%%{init") == "#37;#37;#123;init");
  CHECK(label("---") == "#45;#45;#45;");
  CHECK(label("$$x$$") == "#36;#36;x#36;#36;");
  CHECK(label("__init__") == "#95;#95;init#95;#95;");
  CHECK(label("1. a") == "1#46; a");
  CHECK(label("2) a") == "2#41; a");
  CHECK(label("https://a.b") == "https#58;//a.b");
  CHECK(label("www.a.b") == "www#46;a.b");
  CHECK(label("fa:fa-car") == "fa#58;fa-car");
  CHECK(label("   a") == "#32;  a");
  CHECK(label("a\nb") == "a#92;x0ab");
  CHECK(label("\uFFFE\uFFFF") == "#92;ufffe#92;uffff");
  CHECK(label("ﬂ°lt¶ß") == "fl°lt¶ß");
}

TEST_CASE("a text of any length becomes a short label") {
  CHECK(label(std::string(1 << 20, 'M')) == std::string(39, 'M') + "…");
  std::string marks = "Z";
  for (int at = 0; at < 5000; ++at) marks += "\u0301";
  CHECK(label(marks).size() < 250);
}

TEST_CASE("a graph within Mermaid's limits is drawn whole") {
  Crowd crowd(400, 3);
  crowd.chain();
  std::string drawn = mermaid(crowd.drawing);
  CHECK(drawn.starts_with("flowchart "));  // no directive, so that the page sets the theme
  CHECK(edges(drawn) == 399);
}

TEST_CASE("above the limits, chains are shortened no more than needed") {
  Crowd crowd(600, 3);
  crowd.chain();
  std::string drawn = mermaid(crowd.drawing);
  CHECK(drawn.starts_with("%% xtrace: 600 nodes collapsed to 300, 599 edges to 299: "));
  CHECK(contains(drawn, "n1(\"2 steps<br/>call0 … call1\")"));
  CHECK(count(drawn, "subgraph") == 3);
}

TEST_CASE("errors are not hidden in a chain") {
  Crowd crowd(600, 1);
  crowd.chain();
  crowd.drawing.nodes[300].error = true;
  CHECK(contains(mermaid(crowd.drawing), "(\"call300<br/>failed\")"));
}

TEST_CASE("of a crowd without chains the errors and the best linked stay, the others are counted") {
  Crowd crowd(3000, 0);
  for (uint32_t at = 1; at < 3000; ++at) crowd.drawing.edges.push_back(edge(0, at, "Read"));
  crowd.drawing.nodes[2999].error = true;
  std::string drawn = mermaid(crowd.drawing);
  CHECK(contains(drawn, "(\"call0\")"));
  CHECK(contains(drawn, "(\"call2999<br/>failed\")"));
  CHECK(contains(drawn, "(\"2750 more\")"));
  CHECK(contains(drawn, "-->|\"Read (x2750)\"|"));
}

TEST_CASE("groups become nodes when there are too many of them") {
  Crowd crowd(3000, 1000);
  crowd.chain();
  std::string drawn = mermaid(crowd.drawing);
  CHECK(contains(drawn, "group1<br/>3 nodes"));
  CHECK(contains(drawn, " more\")"));
  CHECK_FALSE(contains(drawn, "subgraph"));
}

TEST_CASE("the result is below the limits whatever the input") {
  uint32_t nodes = GENERATE(40u, 700u, 1500u), groups = GENERATE(0u, 2u, 700u, 1500u);
  uint32_t links = GENERATE(0u, 1u, 6u);
  if (groups > nodes) return;
  Crowd crowd(nodes, groups);
  std::string wide(300, '#');
  uint32_t seed = 7;
  for (Drawing::Node& node : crowd.drawing.nodes) node.lines.push_back(Door::own(wide));
  for (uint32_t at = 0; at < nodes * links; ++at) {
    uint32_t from = (seed = seed * 1664525 + 1013904223) >> 8;
    uint32_t to = (seed = seed * 1664525 + 1013904223) >> 8;
    crowd.drawing.edges.push_back(edge(from % nodes, to % nodes, Door::own(wide)));
  }
  for (uint32_t at = 1; at < groups; at += 2) crowd.drawing.groups[at].parent = at - 1;
  std::string drawn = mermaid(crowd.drawing);
  CAPTURE(nodes, groups, links);
  CHECK(drawn.size() < 50'000);
  CHECK(edges(drawn) < 500);
  CHECK((contains(drawn, "flowchart TB\n  ") || contains(drawn, "flowchart LR\n  ")));
  CHECK(drawn == mermaid(crowd.drawing));
}

TEST_CASE("a ring is drawn, however long") {
  Crowd crowd(5000, 1);
  crowd.chain();
  crowd.drawing.edges.push_back(edge(4999, 0));
  CHECK(edges(mermaid(crowd.drawing)) < 500);
}

TEST_CASE("of more runs than Mermaid takes the first are drawn and the others counted") {
  Drawing drawing;
  drawing.title = "run r1";
  drawing.nodes = {{"a", {"a"}, "agent"}, {"b", {"b"}, "agent"}};
  drawing.edges = {edge(0, 1, "1")};
  Document document("trust");
  for (int i = 0; i < 1000; ++i) document.add(drawing);
  std::ostringstream out;
  write_mermaid(document, {}, out);
  CHECK(contains(out.str(), "%% xtrace: the first 20 of 1000 runs"));
  CHECK(contains(out.str(), "  n41(\"980 more runs\"):::k1\n"));
  CHECK(contains(out.str(), "n39 -->|\"1\"| n40\n"));
  CHECK(contains(out.str(), "  g19 ~~~ g20\n  g20 ~~~ n41\n"));
  CHECK(out.str().size() < 10'000);
}
