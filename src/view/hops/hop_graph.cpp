#include "view/hops/hop_graph.h"

#include <fmt/format.h>

#include <algorithm>

#include "view/common/add_face.h"
#include "view/common/longest_chains.h"
#include "view/common/preface.h"
#include "view/common/words.h"
#include "view/hops/hop_fields.h"
#include "view/hops/hop_picture.h"
#include "view/hops/hop_tree.h"

namespace xtrace {

namespace {

/// What is shown of hops, counted.
struct HopMetrics {
  int64_t nodes = 0, edges = 0, depth = 0, runs = 0, found = 0;
};
constexpr Field<HopMetrics> kMetrics[] = {
    {{"total_nodes", "number of spans shown; a hop observed on both sides counts once",
      CellKind::integer, true},
     member<&HopMetrics::nodes>},
    {{"total_edges", "number of edges shown", CellKind::integer, true}, member<&HopMetrics::edges>},
    {{"graph_depth", "number of edges in the longest chain", CellKind::integer, true},
     member<&HopMetrics::depth>},
    {{"run_count", "number of runs that are shown in whole or in part", CellKind::integer, true},
     member<&HopMetrics::runs>},
    {{"found_count", "number of edges that were inferred from time because no span records them",
      CellKind::integer, true},
     member<&HopMetrics::found>},
};

void write_nodes(const HopScene& scene, const Effects& effects, const Stream::Write& write) {
  Rows<HopRow> rows(hop_fields(), scene.question.door, write);
  for (size_t i = 0; i < scene.hops.all.size(); ++i)
    if (HopId id(i); scene.selection.shows(id))
      rows.write({scene, id, scene.hops[id], effects.of(id.index), rows.arena()});
}

void write_edges(const HopScene& scene, const Stream::Write& write) {
  Rows<HopEdgeRow> rows(hop_edge_fields(), scene.question.door, write);
  for (size_t i = 0; i < scene.hops.edges.size(); ++i)
    if (scene.selection.edges[i]) rows.write({scene, scene.hops.edges[i], rows.arena()});
}

HopMetrics measure(const HopScene& scene) {
  const Hops& hops = scene.hops;
  std::vector<bool> runs(hops.runs.size());
  HopMetrics metrics;
  std::vector<std::pair<uint32_t, uint32_t>> shown;
  for (size_t i = 0; i < hops.all.size(); ++i) {
    HopId id(i);
    if (!scene.selection.shows(id)) continue;
    ++metrics.nodes;
    if (!runs[hops[id].run]) ++metrics.runs;
    runs[hops[id].run] = true;
  }
  for (const HopEdge& edge : hops.edges) {
    if (!scene.shows(edge)) continue;
    shown.emplace_back(edge.from.index, edge.to.index);
    metrics.found += !edge.is_recorded();
  }
  metrics.edges = static_cast<int64_t>(shown.size());
  for (int64_t length : longest_chains(hops.all.size(), shown).to)
    metrics.depth = std::max(metrics.depth, length);
  return metrics;
}

void add_tables(const std::shared_ptr<const HopScene>& scene, Document& document) {
  add_preface("xtrace.dag/1", scene->question, scene->names, scene->selection.hidden, document);
  document.add(record_of<kMetrics>("metrics", measure(*scene)));
  std::shared_ptr<const Effects> effects = std::make_shared<Effects>(effects_in(*scene));
  document.add(Stream{"nodes", hop_columns(), [scene, effects](const Stream::Write& write) {
                        write_nodes(*scene, *effects, write);
                      }});
  document.add(Stream{"edges", hop_edge_columns(),
                      [scene](const Stream::Write& write) { write_edges(*scene, write); }});
}

}  // namespace

Result<Document> graph_of_hops(const Question& question, const Filter& filter, bool unfold) {
  Result<std::shared_ptr<HopScene>> scene = hop_scene(question, filter, HopLinks::causes);
  if (!scene) return tl::unexpected(scene.error());
  Document document("dag");
  add_face(
      question.face, document, [&] { add_tables(*scene, document); },
      [&] { return hop_picture(**scene, unfold, document.arena()); },
      [&] { return hop_tree(**scene, unfold); });
  return document;
}

Shape shape_of_hops() {
  static const std::vector<Section> kShape =
      shape_of_answer({Record{table_of<kMetrics>("metrics")}, Table{"nodes", hop_columns()},
                       Table{"edges", hop_edge_columns()}});
  return kShape;
}

}  // namespace xtrace
