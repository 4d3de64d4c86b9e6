#include "view/diff/tool_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "base/count.h"

namespace xtrace {

namespace {

struct CountRow {
  const ToolCount& count;
  Door& door;
};

constexpr Field<CountRow> kCounted[] = {
    {{"tool", "", CellKind::text, true},
     [](const CountRow& r) -> Cell { return r.door.name(r.count.name); }},
    {{"old", "number of uses in the old run", CellKind::integer, true},
     [](const CountRow& r) -> Cell { return r.count.before; }},
    {{"new", "number of uses in the new run", CellKind::integer, true},
     [](const CountRow& r) -> Cell { return r.count.now; }},
};

void add_uses(const ExplanationScene& scene, int64_t ToolCount::*of,
              std::map<std::string_view, ToolCount>& counts) {
  for (const StoryNode& node : scene.story.nodes)
    for (const ToolUse* use : counted_uses(scene.graph, node))
      ++(counts[scene.graph.trace()[use->name]].*of);
}

}  // namespace

std::vector<const ToolUse*> counted_uses(const Graph& graph, const StoryNode& step) {
  if (step.type != TaskStep::Type::llm_call || !step.call || step.done->same_as) return {};
  return graph.tool_uses_of(step.call);
}

std::vector<ToolCount> count_tools(const DiffScene& scene) {
  std::map<std::string_view, ToolCount> by_name;
  add_uses(scene.old_scene, &ToolCount::before, by_name);
  add_uses(scene.new_scene, &ToolCount::now, by_name);
  std::vector<ToolCount> counts;
  counts.reserve(by_name.size());
  for (const auto& [name, count] : by_name) counts.push_back({name, count.before, count.now});
  std::ranges::stable_sort(counts, std::ranges::greater(), [](const ToolCount& count) {
    return std::abs(count.now - count.before);
  });
  return counts;
}

std::string tool_count_words(const DiffScene& scene) {
  constexpr size_t kMost = 8;  // they fit a line of a terminal
  std::string words;
  size_t shown = 0, more = 0;
  for (const ToolCount& count : count_tools(scene)) {
    if (count.before == count.now) continue;
    if (shown == kMost) {
      ++more;
      continue;
    }
    words += fmt::format("{}{} {} → {}", shown++ == 0 ? "" : ", ",
                         scene.door.name(count.name).view(), count.before, count.now);
  }
  return more == 0 ? words : fmt::format("{}, {} more", words, more);
}

Table tool_count_table(const DiffScene& scene) {
  Table table = tool_count_columns();
  for (const ToolCount& count : count_tools(scene))
    add_fields(kCounted, {count, scene.door}, table);
  return table;
}

Table tool_count_columns() {
  return table_of<kCounted>("tools");
}

}  // namespace xtrace
