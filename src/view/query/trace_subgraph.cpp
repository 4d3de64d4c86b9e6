#include "view/query/trace_fields.h"

namespace xtrace {

namespace {

struct NodeRow {
  const TraceScene& scene;
  size_t at;

  const Visited::Node& visited() const { return scene.trace.visited.nodes()[at]; }
  const VisitedNode& node() const { return visited().node; }
  bool is_withheld() const { return scene.withholds_node(at); }
};

struct EdgeRow {
  const TraceScene& scene;
  const Visited::Edge& visited;
};

constexpr Column kUnitsColumn{"evidence", "text units from which it was extracted",
                              CellKind::texts};
constexpr Column kVisitsColumn{"steps", "steps that visited it", CellKind::integers, true};

constexpr Field<NodeRow> kNodes[] = {
    {{"id", "", CellKind::text, true},
     [](const NodeRow& n) -> Cell { return n.scene.node_id(n.at); }},
    {{"label",
      "Entity, Claim, TextUnit, Community, Document; absent: the node appears only in edges",
      CellKind::text},
     [](const NodeRow& n) { return known(n.scene.text(n.node().label)); }},
    {{"type", "", CellKind::text},
     [](const NodeRow& n) {
       return n.is_withheld() ? Cell() : known(n.scene.text(n.node().type));
     }},
    {{"name", "name; at level basic omitted if labelled confidential or higher", CellKind::text},
     [](const NodeRow& n) {
       const bool hides = n.is_withheld() || !n.scene.shows_name(n.node().sensitivity);
       return hides ? Cell() : known(n.scene.text(n.node().name));
     }},
    {kFullTextColumn,
     [](const NodeRow& n) {
       if (n.is_withheld()) return Cell();
       return known(n.scene.question.door.payload(n.scene.shown_text(n.node().text)));
     }},
    {kUnitsColumn,
     [](const NodeRow& n) { return n.is_withheld() ? Cell() : n.scene.units(n.node().evidence); }},
    {kVisitsColumn, [](const NodeRow& n) { return n.scene.orders(n.visited().steps); }},
    {kSensitivityColumn,
     [](const NodeRow& n) { return known(n.scene.text(n.node().sensitivity)); }},
    {kWithheldColumn, [](const NodeRow& n) { return if_true(n.is_withheld()); }},
};

constexpr Field<EdgeRow> kEdges[] = {
    {{"from", "", CellKind::text, true},
     [](const EdgeRow& e) -> Cell { return e.scene.node_id(e.visited.from); }},
    {{"to", "", CellKind::text, true},
     [](const EdgeRow& e) -> Cell { return e.scene.node_id(e.visited.to); }},
    {{"type", "", CellKind::text},
     [](const EdgeRow& e) { return known(e.scene.text(e.visited.edge.type)); }},
    {kUnitsColumn, [](const EdgeRow& e) { return e.scene.units(e.visited.edge.evidence); }},
    {kVisitsColumn, [](const EdgeRow& e) { return e.scene.orders(e.visited.steps); }},
};

constexpr Field<TraceScene> kSubgraph[] = {
    {{"nodes", "", CellKind::rows, true, columns_of<kNodes>()},
     [](const TraceScene& scene) -> Cell {
       Table nodes = table_of<kNodes>({});
       for (size_t i = 0; i < scene.shown.size(); ++i)
         if (scene.shown[i]) add_fields(kNodes, {scene, i}, nodes);
       return scene.arena.keep(std::move(nodes));
     }},
    {{"edges", "", CellKind::rows, true, columns_of<kEdges>()},
     [](const TraceScene& scene) -> Cell {
       Table edges = table_of<kEdges>({});
       for (const Visited::Edge& edge : scene.trace.visited.edges())
         if (scene.shown[edge.from] && scene.shown[edge.to])
           add_fields(kEdges, {scene, edge}, edges);
       return scene.arena.keep(std::move(edges));
     }},
};

}  // namespace

Record subgraph_record(const TraceScene& scene) {
  return record_of<kSubgraph>("subgraph", scene);
}

// Which steps visited it VISITED says, of each query on its own; the label is the node's.
Entries node_properties(const TraceScene& scene, size_t node) {
  static const Properties<NodeRow> kOfNodes{
      kNodes, {"type", "name", "text", "evidence", "sensitivity", "withheld"}};
  return kOfNodes.of({scene, node});
}

Entries edge_properties(const TraceScene& scene, const Visited::Edge& edge) {
  static const Properties<EdgeRow> kOfEdges{kEdges, {"evidence"}};
  return kOfEdges.of({scene, edge});
}

std::span<const Column> subgraph_columns() {
  return columns_of<kSubgraph>();
}

}  // namespace xtrace
