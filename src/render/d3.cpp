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
  JsonLists lists(out, "  ");
  JsonFields about;
  if (!elements.title.empty()) about.add("title", elements.title);
  out << "{\n  \"directed\": true,\n  \"multigraph\": true,\n  \"graph\": "
      << safe_in_pages(about.text()) << ",\n";
  lists.open("nodes");
  for (const Elements::Node& node : elements.nodes) {
    JsonFields fields;
    fields.add("id", node.id);
    if (node.group != Elements::kNone) fields.add("group", elements.groups[node.group].path);
    add_fields(node, names, fields);
    lists.add(fields.text());
  }
  lists.close();
  out << ",\n";
  lists.open("links");
  for (const Elements::Edge& edge : elements.edges) {
    JsonFields fields;
    fields.add("key", edge.id);
    fields.add("source", elements.nodes[edge.from].id);
    fields.add("target", elements.nodes[edge.to].id);
    add_fields(edge, names, fields);
    lists.add(fields.text());
  }
  lists.close();
  out << "\n}\n";
}

}  // namespace xtrace
