#include <ostream>

#include "render/elements.h"
#include "render/graph_json.h"
#include "render/renderer.h"

namespace xtrace {

// What d3-force takes: forceLink(graph.links).id(d => d.id). With the three fields before the lists
// it is also the node-link format that networkx reads.
void write_d3(const Document& document, const Paper&, std::ostream& out) {
  Elements elements = elements_of(document);
  PropertyNames names;
  GraphJson graph(out);
  JsonWriter& json = graph.json();
  JsonFields fields(json);
  json.open_object(JsonLayout::lines(2));
  json.field("directed", true);
  json.field("multigraph", true);
  json.open_object("graph");
  if (!elements.title.empty()) json.field("title", elements.title);
  json.close();
  json.open_list("nodes", JsonLayout::lines(4));
  for (const Elements::Node& node : elements.nodes) {
    graph.open_element();
    json.field("id", node.id);
    if (node.group != Elements::kNone) json.field("group", elements.groups[node.group].path);
    add_fields(node, names, fields);
    graph.close_element();
  }
  json.close();
  json.open_list("links", JsonLayout::lines(4));
  for (const Elements::Edge& edge : elements.edges) {
    graph.open_element();
    json.field("key", edge.id);
    json.field("source", elements.nodes[edge.from].id);
    json.field("target", elements.nodes[edge.to].id);
    add_fields(edge, names, fields);
    graph.close_element();
  }
  json.close();
  json.close();
  graph.end_line();
}

extern constinit const Renderer kD3Renderer = {
    .name = "d3",
    .summary = "graph for d3-force",
    .face = Face::drawing,
    .write = write_d3,
    .keeps_properties = true,
};

}  // namespace xtrace
