#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#include "doc/document.h"

namespace xtrace {

/// The drawings of a document as libraries and editors of graphs hold one: nodes, groups and edges
/// have ids that are unique among all of them. Nodes and edges are in the order of the drawings.
struct Elements {
  static constexpr uint32_t kNone = Drawing::kNone;

  struct Group {
    Text label;
    uint32_t parent = kNone;  ///< smaller than its own index
    std::string id{};
    std::string path{};  ///< its label after those around it, `session s1 / main`; unique
  };
  struct Node {
    const Drawing::Node& drawn;
    std::string id;
    uint32_t group = kNone;
  };
  struct Edge {
    const Drawing::Edge& drawn;
    std::string id;
    uint32_t from = 0, to = 0;  ///< indices into nodes
  };
  std::string_view title;     ///< of the only drawing; several are groups
  std::vector<Group> groups;  ///< none without a node in it, few in one another
  std::vector<Node> nodes;
  std::vector<Edge> edges;
};

/// Borrows from the document.
Elements elements_of(const Document& document);

/// The lines of its label, of which there is one at least.
std::string label_of(const Elements::Node& node);

/// Names the properties of elements: `tokens_input` of `tokens.input`, the same key the same in all
/// the graph, and none like what those who read it keep in an element themselves.
class PropertyNames {
 public:
  PropertyNames();
  const std::string& of(std::string_view key);

 private:
  std::unordered_map<std::string_view, std::string> names_;
  std::unordered_set<std::string> taken_;
};

/// Is there a value that a graph can keep? What is unknown or no number is left out.
bool has_value(const Cell& cell);

/// Is there such a value under the key?
bool has_property(const Entries& entries, std::string_view key);

/// Calls `fields.add(name, value)` for each property that has a value, a Cell.
template <class Fields>
void add_properties(const Entries& entries, PropertyNames& names, Fields& fields) {
  for (size_t i = 0; i < entries.items.size(); ++i) {
    const auto& [key, cell] = entries.items[i];
    bool again = false;  // the last counts, as in JSON
    for (size_t later = i + 1; later < entries.items.size(); ++later)
      again |= entries.items[later].first == key;
    if (!again && has_value(cell)) fields.add(names.of(key.view()), cell);
  }
}

/// The same for all that is known of a node or an edge, except its id and place. A value is a
/// std::string_view or a Cell.
template <class Fields>
void add_fields(const Elements::Node& node, PropertyNames& names, Fields& fields) {
  const Drawing::Node& drawn = node.drawn;
  // A node may have a label and a type of its own, which says more.
  if (!has_property(drawn.properties, "label"))
    fields.add("label", std::string_view(label_of(node)));
  if (!drawn.kind.empty()) fields.add("kind", drawn.kind.view());
  if (!drawn.type.empty() && !has_property(drawn.properties, "type"))
    fields.add("type", drawn.type.view());
  if (drawn.error) fields.add("is_error", Cell(true));
  if (drawn.critical) fields.add("on_critical_path", Cell(true));
  add_properties(drawn.properties, names, fields);
}

template <class Fields>
void add_fields(const Elements::Edge& edge, PropertyNames& names, Fields& fields) {
  const Drawing::Edge& drawn = edge.drawn;
  // Always: a style that shows the label wants every edge to have one.
  fields.add("label", drawn.label.view());
  if (!drawn.detail.empty()) fields.add("detail", drawn.detail.view());
  if (!drawn.relation.empty()) fields.add("relation", drawn.relation.view());
  if (drawn.times > 1) fields.add("times", Cell(drawn.times));
  if (drawn.error) fields.add("is_error", Cell(true));
  add_properties(drawn.properties, names, fields);
}

}  // namespace xtrace
