#pragma once

#include "render/drawn.h"

namespace xtrace {

inline Drawing::Node node(Text id, std::vector<Text> lines = {}, Text kind = {},
                          uint32_t group = Drawing::kNone) {
  Drawing::Node node;
  node.id = id;
  node.lines = std::move(lines);
  node.kind = kind;
  node.group = group;
  return node;
}

/// Two nodes in groups, with what nodes and edges may have, and two edges between them.
inline Drawing small_graph() {
  Drawing drawing;
  drawing.title = "run r1";
  drawing.groups = {{"session s1"}, {"main", 0}, {"nobody"}};
  drawing.nodes = {node("a", {"Read ×2", "opus · 2s"}, "main", 1), node("agent:x", {"x"}, "agent")};
  drawing.nodes[0].type = "Call";
  drawing.nodes[0].error = drawing.nodes[0].critical = true;
  drawing.nodes[0].properties.add("timestamp", Moment{Time(Duration(0)), 3});
  drawing.nodes[0].properties.add("duration_ms", Duration(1'500'000));
  drawing.nodes[0].properties.add("tokens.input", int64_t{12});
  drawing.nodes[0].properties.add("cost_usd", Dollars{2'500'000});
  drawing.nodes[0].properties.add("unknown", Cell());
  drawing.nodes[0].properties.add("none", nullptr);
  drawing.edges = {edge(0, 1, "Read"), edge(0, 1)};
  drawing.edges[0].relation = "CALLS";
  drawing.edges[0].times = 3;
  drawing.edges[0].properties.add("confidence", 0.5);
  drawing.edges[1].stroke = Drawing::Stroke::dotted;
  drawing.edges[1].error = true;
  return drawing;
}

/// What a text of an input may hold to break out of a file.
inline const std::string kHostileTexts[] = {
    "x\"}], \"evil\": [{\"",
    "x' evil='",
    "\" evil=\"1",
    "\\",
    "\\\"",
    "</data></node><node id=\"evil\"/>",
    "]]>",
    "<![CDATA[x]]>",
    "&amp; &lt; &#0; &xxe;",
    "<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>&e;",
    "</script><script>alert(1)</script>",
    "<!--",
    "a\nb\rc\td",
    "__proto__",
    "   ",
    "😀 宽 \U0010ffff",
    "e1",
    "g1"};

}  // namespace xtrace
