#include <fmt/format.h>

#include <map>

#include "view/common/words.h"
#include "view/diff/diff.h"

namespace xtrace {

namespace {

using Row = RunComparison::Row;

}  // namespace

/// Equal steps side by side become one node: what differs is what one looks for. The first
/// divergence is marked as critical paths are, and what is gone is drawn dashed.
Drawing diff_picture(const DiffScene& scene, CellArena& arena) {
  const RunComparison& found = scene.found;
  Drawing drawing;
  std::vector<uint32_t> into = found.folded(), node_of(found.rows.size(), Drawing::kNone);
  for (uint32_t i = 0; i < found.rows.size();) {
    uint32_t end = i + 1;
    while (end < into.size() && into[end] == into[i]) ++end;
    const Row& row = found.rows[i];
    bool is_new = DiffScene::is_in_new(row);
    Drawing::Node node;
    // One step of each run may bear the same id.
    node.id = row.diff_status == DiffStatus::removed
                  ? scene.door.say("old:{}", scene.id(row, false).view())
                  : scene.id(row, is_new);
    node.type = "Step";
    if (end - i > 1) {
      node.lines = {scene.door.say("{} equal steps", end - i)};
    } else {
      node.kind = {};
      node.lines = {scene.what(row, is_new, arena)};
      if (row.diff_status == DiffStatus::changed) {
        Text before = scene.what(row, false, arena);
        if (before != node.lines.front())
          node.lines.push_back(scene.door.say("was {}", before.view()));
        node.lines.push_back(scene.door.composed("differs: " + scene.fields_of(row)));
      }
      node.error = scene.node(row, is_new).status == StepStatus::error;
      node.critical = i == found.first;
    }
    node.tone = tone_of(row.diff_status);
    if (scene.question.with_properties)
      node.properties.add("state", Door::own(word(row.diff_status)));
    for (; i < end; ++i) node_of[i] = static_cast<uint32_t>(drawing.nodes.size());
    drawing.nodes.push_back(std::move(node));
  }
  std::map<std::pair<uint32_t, uint32_t>, size_t> drawn;  // of equal ones, once
  for (const RunComparison::Edge& edge : found.edges) {
    uint32_t from = node_of[edge.from], to = node_of[edge.to];
    if (from == to) continue;
    if (edge.diff_status == DiffStatus::equal && !drawn.emplace(std::pair(from, to), 0).second)
      continue;
    Relation relation =
        edge.diff_status == DiffStatus::removed ? edge.old_relation : edge.new_relation;
    Drawing::Edge line;
    line.from = from;
    line.to = to;
    line.relation = Door::own(word(relation));
    if (relation != Relation::next_step) line.label = line.relation;
    if (relation == Relation::triggered || edge.diff_status == DiffStatus::removed)
      line.stroke = Drawing::Stroke::dashed;
    line.tone = tone_of(edge.diff_status);
    if (scene.question.with_properties)
      line.properties.add("state", Door::own(word(edge.diff_status)));
    drawing.edges.push_back(std::move(line));
  }
  return drawing;
}

}  // namespace xtrace
