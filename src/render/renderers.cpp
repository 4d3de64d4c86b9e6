#include "render/renderer.h"
#include "render/verdicts.h"

namespace xtrace {

std::span<const Renderer> renderers() {
  static constexpr Renderer kRenderers[] = {
      {"text", "a tree for people (the default on a terminal)", Face::outline, write_text},
      {"json", "everything, for programs (the default when piped)", Face::tables, write_json},
      {"csv", "a table of it, for spreadsheets", Face::tables, write_csv, false, false, false,
       true},
      {"markdown", "its tables, for reports and comments", Face::tables, write_markdown, false,
       false, false, true},
      {"dot", "a picture by Graphviz", Face::drawing, write_dot},
      {"mermaid", "a picture in Markdown", Face::drawing, write_mermaid},
      {"sequence", "who called whom in which order, in Markdown", Face::drawing, write_sequence,
       true},
      {"both", "the JSON, and in it the Mermaid text", Face::tables, write_json, false, false,
       true},
      {"cypher", "a script that puts the graph into Neo4j", Face::drawing, write_cypher, false,
       true},
      {"graphml", "the graph for Gephi, yEd and networkx", Face::drawing, write_graphml, false,
       true},
      {"cytoscape", "the graph as Cytoscape.js opens it", Face::drawing, write_cytoscape, false,
       true},
      {"d3", "the graph as d3-force lays it out", Face::drawing, write_d3, false, true},
      {"junit", "verdicts as JUnit XML, which every build server reads", Face::tables, write_junit},
      {"sarif", "verdicts as SARIF 2.1.0, for code scanning", Face::tables, write_sarif},
      {"otlp", "OpenTelemetry's JSON, an object a line: Jaeger, Tempo, Phoenix, the collector",
       Face::spans, write_otlp},
      {"jaeger", "traces as Jaeger's user interface opens them", Face::spans, write_jaeger},
      {"atif", "trajectories of agents (ATIF-v1.7), a session a line", Face::trajectories,
       write_atif},
  };
  return kRenderers;
}

}  // namespace xtrace
