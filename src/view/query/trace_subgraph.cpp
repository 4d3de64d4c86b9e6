#include "view/query/trace_fields.h"

namespace xtrace {

namespace {

constexpr Column kNodes[] = {
    {"id", "", CellKind::text, true},
    {"label",
     "Entity, Claim, TextUnit, Community, Document; absent: the node appears only in edges",
     CellKind::text},
    {"type", "", CellKind::text},
    {"name", "name; at level basic omitted if labelled confidential or higher", CellKind::text},
    {"text", "text, at level full", CellKind::text},
    {"evidence", "text units from which it was extracted", CellKind::texts},
    {"steps", "steps that visited it", CellKind::integers, true},
    {"sensitivity", "sensitivity label", CellKind::text},
    {"withheld", "true if the item is more sensitive than the clearance", CellKind::boolean},
};

constexpr Column kEdges[] = {
    {"from", "", CellKind::text, true},
    {"to", "", CellKind::text, true},
    {"type", "", CellKind::text},
    {"evidence", "text units from which it was extracted", CellKind::texts},
    {"steps", "steps that visited it", CellKind::integers, true},
};

constexpr Column kSubgraph[] = {
    {"nodes", "", CellKind::rows, true, kNodes},
    {"edges", "", CellKind::rows, true, kEdges},
};

Cell orders(const TraceScene& scene, const std::vector<size_t>& steps) {
  Integers numbers;
  for (size_t step : steps) numbers.push_back(TraceScene::order(step));
  return scene.arena.keep(std::move(numbers));
}

void add_node(const TraceScene& scene, size_t at, Table& nodes) {
  const auto& [node, steps] = scene.trace.visited.nodes()[at];
  bool hides = scene.withholds_node(at);
  nodes.add({scene.node_id(at), known(scene.text(node.label)),
             hides ? Cell() : known(scene.text(node.type)),
             hides || !scene.shows_name(node.sensitivity) ? Cell() : known(scene.text(node.name)),
             hides ? Cell() : known(scene.question.door.payload(scene.shown_text(node.text))),
             hides ? Cell() : scene.units(node.evidence), orders(scene, steps),
             known(scene.text(node.sensitivity)), if_true(hides)});
}

void add_edge(const TraceScene& scene, const Visited::Edge& visited, Table& edges) {
  const auto& [edge, from, to, steps] = visited;
  edges.add({scene.node_id(from), scene.node_id(to), known(scene.text(edge.type)),
             scene.units(edge.evidence), orders(scene, steps)});
}

/// The only row, of some columns.
Entries properties_of(const Table& table, std::initializer_list<std::string_view> keys) {
  Entries entries;
  for (size_t i = 0; i < table.columns.size(); ++i)
    if (is_one_of(table.columns[i].key, keys) &&
        !std::holds_alternative<std::monostate>(table.cells[i]))
      entries.add(Door::own(table.columns[i].key), table.cells[i]);
  return entries;
}

}  // namespace

Record subgraph_record(const TraceScene& scene) {
  Table nodes{{}, kNodes}, edges{{}, kEdges};
  for (size_t i = 0; i < scene.shown.size(); ++i)
    if (scene.shown[i]) add_node(scene, i, nodes);
  for (const Visited::Edge& edge : scene.trace.visited.edges())
    if (scene.shown[edge.from] && scene.shown[edge.to]) add_edge(scene, edge, edges);
  return {{"subgraph",
           kSubgraph,
           {scene.arena.keep(std::move(nodes)), scene.arena.keep(std::move(edges))}}};
}

// Which steps visited it VISITED says, of each query on its own; the label is the node's.
Entries node_properties(const TraceScene& scene, size_t node) {
  Table table{{}, kNodes};
  add_node(scene, node, table);
  return properties_of(table, {"type", "name", "text", "evidence", "sensitivity", "withheld"});
}

Entries edge_properties(const TraceScene& scene, const Visited::Edge& edge) {
  Table table{{}, kEdges};
  add_edge(scene, edge, table);
  return properties_of(table, {"evidence"});
}

std::span<const Column> subgraph_columns() {
  return kSubgraph;
}

}  // namespace xtrace
