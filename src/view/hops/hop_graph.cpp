#include "view/hops/hop_graph.h"

#include <fmt/format.h>

#include <algorithm>

#include "view/common/preface.h"
#include "view/common/words.h"
#include "view/hops/effects.h"
#include "view/hops/hop_fields.h"
#include "view/hops/hop_picture.h"
#include "view/hops/hop_tree.h"

namespace xtrace {

namespace {

constexpr Column kMetrics[] = {
    {"total_nodes", "spans shown; a hop seen on both sides is one", CellKind::integer, true},
    {"total_edges", "edges shown", CellKind::integer, true},
    {"graph_depth", "edges of the longest chain", CellKind::integer, true},
    {"run_count", "runs of which anything is shown", CellKind::integer, true},
    {"found_count", "edges that no span records and that were found by time", CellKind::integer,
     true},
};

void write_nodes(const HopScene& scene, const Effects& effects, const Stream::Write& write) {
  Rows<HopRow> rows(hop_fields(), scene.question.door, write);
  for (size_t i = 0; i < scene.hops.all.size(); ++i)
    if (HopId id(i); scene.selection.shows(id))
      rows.write({scene, id, scene.hops[id], effects.of(id), rows.arena()});
}

void write_edges(const HopScene& scene, const Stream::Write& write) {
  Rows<HopRow> rows(cause_fields(), scene.question.door, write);
  for (size_t i = 0; i < scene.hops.all.size(); ++i)
    if (HopId id(i); scene.selection.shows_cause_of(id))
      rows.write({scene, id, scene.hops[id], {}, rows.arena()});
}

Record metrics_record(const HopScene& scene) {
  const Hops& hops = scene.hops;
  std::vector<int64_t> depth(hops.all.size(), -1);
  std::vector<bool> runs(hops.runs.size());
  int64_t edges = 0, found = 0, longest = 0, shown = 0, run_count = 0;
  for (size_t i = 0; i < hops.all.size(); ++i) {
    HopId id(i);
    if (!scene.selection.shows(id)) continue;
    ++shown;
    if (!runs[hops[id].run]) ++run_count;
    runs[hops[id].run] = true;
    if (scene.selection.shows_cause_of(id)) {
      ++edges;
      found += !is_recorded(hops[id]);
    }
    // Causes may stand behind their effects where clocks differ; causes form no circle.
    std::vector<HopId> way;
    HopId at = id;
    while (depth[at.index] < 0 && scene.selection.shows_cause_of(at)) {
      way.push_back(at);
      at = hops[at].cause;
    }
    depth[at.index] = std::max<int64_t>(depth[at.index], 0);
    for (int64_t below = depth[at.index]; !way.empty(); way.pop_back())
      depth[way.back().index] = ++below;
    longest = std::max(longest, depth[id.index]);
  }
  return {{"metrics", kMetrics, {shown, edges, longest, run_count, found}}};
}

void add_tables(const std::shared_ptr<const HopScene>& scene, Document& document) {
  add_preface("xtrace.dag/1", scene->question, scene->names, scene->selection.hidden, document);
  document.add(metrics_record(*scene));
  std::shared_ptr<const Effects> effects = std::make_shared<Effects>(*scene);
  document.add(Stream{"nodes", hop_columns(), [scene, effects](const Stream::Write& write) {
                        write_nodes(*scene, *effects, write);
                      }});
  document.add(Stream{"edges", cause_columns(),
                      [scene](const Stream::Write& write) { write_edges(*scene, write); }});
}

}  // namespace

Result<Document> graph_of_hops(const Question& question, const Filter& filter, bool unfold) {
  Result<std::shared_ptr<HopScene>> scene = hop_scene(question, filter, HopLinks::causes);
  if (!scene) return tl::unexpected(scene.error());
  Document document("dag");
  switch (question.face) {
    case Face::outline: document.add(hop_tree(**scene, unfold)); break;
    case Face::drawing: document.add(hop_picture(**scene, unfold, document.arena())); break;
    case Face::tables: add_tables(*scene, document); break;
    case Face::spans:
    case Face::trajectories:
    case Face::stacks: break;  // those of `convert`
  }
  return document;
}

Shape shape_of_hops() {
  static const std::vector<Section> kShape =
      shape_of_answer({Record{{"metrics", kMetrics}}, Table{"nodes", hop_columns()},
                       Table{"edges", cause_columns()}});
  return kShape;
}

}  // namespace xtrace
