#include "view/query/trace_fields.h"

namespace xtrace {

namespace {

constexpr Column kNodes[] = {
    {"id", "", CellKind::text, true},
    {"label", "Entity, Claim, TextUnit, Community, Document; absent: only edges tell of it",
     CellKind::text},
    {"type", "", CellKind::text},
    {"name", "at level basic not of what is labelled confidential or more", CellKind::text},
    {"text", "at level full", CellKind::text},
    {"evidence", "units that it was drawn from", CellKind::texts},
    {"steps", "that visited it", CellKind::integers, true},
    {"sensitivity", "its label", CellKind::text},
    {"withheld", "it is more sensitive than the clearance", CellKind::boolean},
};

constexpr Column kEdges[] = {
    {"from", "", CellKind::text, true},
    {"to", "", CellKind::text, true},
    {"type", "", CellKind::text},
    {"evidence", "units that it was drawn from", CellKind::texts},
    {"steps", "that visited it", CellKind::integers, true},
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

}  // namespace

Record subgraph_record(const TraceScene& scene) {
  Table nodes{{}, kNodes}, edges{{}, kEdges};
  for (size_t i = 0; i < scene.shown.size(); ++i) {
    if (!scene.shown[i]) continue;
    const auto& [node, steps] = scene.trace.visited.nodes()[i];
    bool hides = scene.withholds_node(i);
    nodes.add({scene.node_id(i), known(scene.text(node.label)),
               hides ? Cell() : known(scene.text(node.type)),
               hides || !scene.shows_name(node.sensitivity) ? Cell() : known(scene.text(node.name)),
               hides ? Cell() : known(scene.question.door.payload(scene.shown_text(node.text))),
               hides ? Cell() : scene.units(node.evidence), orders(scene, steps),
               known(scene.text(node.sensitivity)), if_true(hides)});
  }
  for (const auto& [edge, from, to, steps] : scene.trace.visited.edges())
    if (scene.shown[from] && scene.shown[to])
      edges.add({scene.node_id(from), scene.node_id(to), known(scene.text(edge.type)),
                 scene.units(edge.evidence), orders(scene, steps)});
  return {{"subgraph",
           kSubgraph,
           {scene.arena.keep(std::move(nodes)), scene.arena.keep(std::move(edges))}}};
}

std::span<const Column> subgraph_columns() {
  return kSubgraph;
}

}  // namespace xtrace
