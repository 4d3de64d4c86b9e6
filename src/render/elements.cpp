#include "render/elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "render/picture.h"
#include "render/unique_ids.h"

namespace xtrace {

namespace {

// What we say of every element ourselves, and names by which Cytoscape.js, d3-force, networkx and
// Gephi keep their own in it: a coordinate of ours would pin a node.
constexpr std::string_view kTaken[] = {"id",
                                       "kind",
                                       "detail",
                                       "relation",
                                       "times",
                                       "parent",
                                       "source",
                                       "target",
                                       "group",
                                       "is_error",
                                       "on_critical_path",
                                       "key",
                                       "index",
                                       "x",
                                       "y",
                                       "z",
                                       "vx",
                                       "vy",
                                       "fx",
                                       "fy",
                                       "weight",
                                       "directed"};

/// `tokensIn` keeps its capital; Cytoscape.js takes a dot in a selector for a class.
std::string element_name(std::string_view key) {
  constexpr size_t kNameBytes = 100;  // a name is no place to keep a text
  std::string name;
  for (char c : head(key, kNameBytes)) {
    bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    name += is_letter || (c >= '0' && c <= '9' && !name.empty()) ? c : '_';
  }
  return name.empty() ? "_" : name;
}

/// Appends the groups of a drawing, in `around` if there is such a group.
void add_groups(const Drawing& drawing, uint32_t around, std::vector<Elements::Group>& groups) {
  uint32_t first = static_cast<uint32_t>(groups.size());
  std::vector<uint32_t> depths;
  for (const Drawing::Group& group : drawing.groups) {
    uint32_t parent = group.parent == Drawing::kNone ? around : group.parent + first;
    uint32_t depth = group.parent == Drawing::kNone ? 1 : depths[group.parent] + 1;
    if (depth == kDeepest) {  // beside the one it would be in
      --depth;
      parent = groups[parent].parent;
    }
    depths.push_back(depth);
    groups.push_back({group.label, parent});
  }
}

/// Leaves out groups in which there is no node: a parent without children is drawn as a node.
void drop_empty_groups(Elements& elements) {
  std::vector<bool> used(elements.groups.size());
  for (const Elements::Node& node : elements.nodes)
    if (node.group != Elements::kNone) used[node.group] = true;
  for (size_t at = used.size(); at-- > 0;)
    if (uint32_t parent = elements.groups[at].parent; used[at] && parent != Elements::kNone)
      used[parent] = true;

  std::vector<Elements::Group> kept;
  std::vector<uint32_t> place(used.size(), Elements::kNone);
  for (size_t at = 0; at < used.size(); ++at) {
    if (!used[at]) continue;
    Elements::Group& group = elements.groups[at];
    if (group.parent != Elements::kNone) group.parent = place[group.parent];
    place[at] = static_cast<uint32_t>(kept.size());
    kept.push_back(std::move(group));
  }
  elements.groups = std::move(kept);
  for (Elements::Node& node : elements.nodes)
    if (node.group != Elements::kNone) node.group = place[node.group];
}

/// Nodes keep their ids; those of groups and edges, which nobody knows, make way.
void name_groups_and_edges(Elements& elements, UniqueIds& ids) {
  UniqueIds paths;
  for (size_t i = 0; i < elements.groups.size(); ++i) {
    Elements::Group& group = elements.groups[i];
    group.id = ids.printed(fmt::format("g{}", i + 1));
    std::string path;
    if (group.parent != Elements::kNone) path = elements.groups[group.parent].path + " / ";
    group.path = paths.printed(path += group.label.view());
  }
  for (size_t i = 0; i < elements.edges.size(); ++i)
    elements.edges[i].id = ids.printed(fmt::format("e{}", i + 1));
}

}  // namespace

Elements elements_of(const Document& document) {
  std::vector<const Drawing*> drawings;
  for (const Section& section : document.sections())
    if (const Drawing* drawing = std::get_if<Drawing>(&section)) drawings.push_back(drawing);

  Elements elements;
  UniqueIds ids;
  for (const Drawing* drawing : drawings) {
    uint32_t around = Elements::kNone;
    if (drawings.size() == 1) {
      elements.title = drawing->title.view();
    } else {  // one graph with a group around each
      around = static_cast<uint32_t>(elements.groups.size());
      elements.groups.push_back({drawing->title});
    }
    uint32_t first_group = static_cast<uint32_t>(elements.groups.size());
    uint32_t first_node = static_cast<uint32_t>(elements.nodes.size());
    add_groups(*drawing, around, elements.groups);
    for (const Drawing::Node& node : drawing->nodes) {
      uint32_t group = node.group == Drawing::kNone ? around : node.group + first_group;
      // Cytoscape.js takes no empty id.
      elements.nodes.push_back({node, ids.printed(node.id.empty() ? "?" : node.id.view()), group});
    }
    for (const Drawing::Edge& edge : drawing->edges)
      elements.edges.push_back({edge, {}, edge.from + first_node, edge.to + first_node});
  }
  drop_empty_groups(elements);
  name_groups_and_edges(elements, ids);
  return elements;
}

bool has_property(const Entries& entries, std::string_view key) {
  return std::any_of(entries.items.begin(), entries.items.end(), [&](const auto& item) {
    return item.first.view() == key && has_value(item.second);
  });
}

std::string label_of(const Elements::Node& node) {
  std::string label;
  for (const Text& line : node.drawn.lines)
    if (!line.empty()) (label += label.empty() ? "" : "\n") += line.view();
  return label.empty() ? node.id : label;
}

PropertyNames::PropertyNames() {
  for (std::string_view name : kTaken) taken_.emplace(name);
}

const std::string& PropertyNames::of(std::string_view key) {
  auto [known, is_new] = names_.try_emplace(key);
  if (is_new) {
    std::string wish = element_name(key), name = wish;
    for (size_t copy = 2; !taken_.insert(name).second; ++copy)
      name = fmt::format("{}_{}", wish, copy);
    known->second = std::move(name);
  }
  return known->second;
}

bool has_value(const Cell& cell) {
  if (const double* number = std::get_if<double>(&cell)) return std::isfinite(*number);
  return !std::holds_alternative<std::monostate>(cell) &&
         !std::holds_alternative<std::nullptr_t>(cell);
}

}  // namespace xtrace
