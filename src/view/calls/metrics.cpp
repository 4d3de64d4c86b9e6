#include "view/calls/metrics.h"

#include <algorithm>

namespace xtrace {

namespace {

/// Edges of the longest chain of shown links that agree with the clock; such links form no cycle.
int64_t depth_of(const Graph& graph, const Selection& selection) {
  std::vector<std::vector<CallId>> causes(graph.trace().calls.size());
  for (uint32_t i : selection.links) {
    const Link& link = graph.links()[i];
    if (graph.timeline().before(link.from, link.to)) causes[link.to.index].push_back(link.from);
  }
  std::vector<int64_t> depth(causes.size(), 0);
  int64_t deepest = 0;
  for (CallId id : graph.timeline().in_order()) {
    for (CallId cause : causes[id.index])
      depth[id.index] = std::max(depth[id.index], depth[cause.index] + 1);
    deepest = std::max(deepest, depth[id.index]);
  }
  return deepest;
}

/// From the last call to the first, so that what was spawned below is measured before its spawner.
void measure_below(const Graph& graph, const Selection& selection, Metrics& metrics) {
  struct Below {
    int64_t agents = 0;
    Time last_end = kNoTime;
  };
  std::vector<Below> conversation(graph.conversations().size());
  std::span<const CallId> order = graph.timeline().in_order();
  for (size_t i = order.size(); i-- > 0;) {
    CallId id = order[i];
    if (!selection.shows(id)) continue;
    Metrics::Of& of = metrics.of[id.index];
    const Call& call = graph.timeline()[id];
    if (call.duration != kNoDuration) of.last_end = call.end();
    for (uint32_t at : graph.effects_of(id)) {
      const Link& link = graph.links()[at];
      if (link.kind != LinkKind::subagent_spawn || !selection.shows(link.to)) continue;
      const Below& child = conversation[graph.conversation_of(link.to).number - 1];
      of.descendants += 1 + child.agents;
      of.last_end = std::max(of.last_end, child.last_end);
    }
    Below& own = conversation[graph.conversation_of(id).number - 1];
    own.agents += of.descendants;
    own.last_end = std::max(own.last_end, of.last_end);
  }
}

}  // namespace

Metrics measure(const Graph& graph, const Selection& selection) {
  Metrics metrics;
  metrics.of.resize(graph.trace().calls.size());
  std::vector<int64_t> children(metrics.of.size(), 0);
  for (uint32_t i : selection.links) {
    const Link& link = graph.links()[i];
    ++metrics.of[link.from.index].out_degree;
    ++metrics.of[link.to.index].in_degree;
    if (link.kind == LinkKind::tool_result) ++metrics.tool_results;
    if (link.kind != LinkKind::subagent_spawn) continue;
    ++metrics.spawns;
    ++children[link.from.index];
  }
  int64_t parents =
      std::count_if(children.begin(), children.end(), [](int64_t n) { return n > 0; });
  if (parents > 0)
    metrics.branching = static_cast<double>(metrics.spawns) / static_cast<double>(parents);
  metrics.depth = depth_of(graph, selection);
  metrics.path =
      critical_path(graph, {[&](CallId id) { return selection.shows(id); }, selection.links});
  measure_below(graph, selection, metrics);
  return metrics;
}

}  // namespace xtrace
