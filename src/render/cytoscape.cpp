#include <ostream>

#include "render/elements.h"
#include "render/graph_json.h"
#include "render/property_name.h"
#include "render/renderer.h"

namespace xtrace {

namespace {

// What cytoscape({...}) takes: groups are compound nodes, and classes are for style sheets, which
// want words. Names of fields have no dots, for a selector such as [tokens.input > 0] has to escape
// them.

constexpr std::string_view kStrokes[] = {"", "dashed", "dotted", "faint"};

void add_class(std::string& classes, std::string_view word) {
  if (!word.empty()) (classes += classes.empty() ? "" : " ") += word;
}

/// A kind that is called like a class of ours gives none: an agent cannot look like an error by its
/// name.
std::string class_of(const Drawing::Node& node) {
  std::string word = node.kind.empty() ? "" : property_name(node.kind.view());
  bool is_ours = word == "error" || word == "critical" || word == "group";
  return is_ours ? "" : word;
}

std::string element(const JsonFields& fields, std::string_view classes) {
  std::string text = "{\"data\": " + fields.text();
  if (!classes.empty()) (text += ", \"classes\": \"").append(classes) += '"';
  return text += '}';
}

std::string element(const Elements& elements, const Elements::Group& group) {
  JsonFields fields;
  fields.add("id", group.id);
  if (group.parent != Elements::kNone) fields.add("parent", elements.groups[group.parent].id);
  fields.add("label", group.label.view());
  return element(fields, "group");
}

std::string element(const Elements& elements, const Elements::Node& node, PropertyNames& names) {
  JsonFields fields;
  fields.add("id", node.id);
  if (node.group != Elements::kNone) fields.add("parent", elements.groups[node.group].id);
  add_fields(node, names, fields);
  std::string classes;
  if (node.drawn.error) add_class(classes, "error");
  if (node.drawn.critical) add_class(classes, "critical");
  add_class(classes, class_of(node.drawn));
  return element(fields, classes);
}

std::string element(const Elements& elements, const Elements::Edge& edge, PropertyNames& names) {
  JsonFields fields;
  fields.add("id", edge.id);
  fields.add("source", elements.nodes[edge.from].id);
  fields.add("target", elements.nodes[edge.to].id);
  add_fields(edge, names, fields);
  std::string classes;
  if (edge.drawn.error) add_class(classes, "error");
  add_class(classes, kStrokes[static_cast<size_t>(edge.drawn.stroke)]);
  return element(fields, classes);
}

}  // namespace

void write_cytoscape(const Document& document, const Paper&, std::ostream& out) {
  Elements elements = elements_of(document);
  PropertyNames names;
  JsonLists lists(out, "    ");
  out << "{\n";
  if (!elements.title.empty()) {
    JsonFields fields;
    fields.add("title", elements.title);
    out << "  \"data\": " << safe_in_pages(fields.text()) << ",\n";
  }
  out << "  \"elements\": {\n";
  lists.open("nodes");
  for (const Elements::Group& group : elements.groups) lists.add(element(elements, group));
  for (const Elements::Node& node : elements.nodes) lists.add(element(elements, node, names));
  lists.close();
  out << ",\n";
  lists.open("edges");
  for (const Elements::Edge& edge : elements.edges) lists.add(element(elements, edge, names));
  lists.close();
  out << "\n  }\n}\n";
}

}  // namespace xtrace
