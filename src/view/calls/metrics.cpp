#include "view/calls/metrics.h"

#include <algorithm>
#include <set>
#include <utility>

#include "view/common/longest_chains.h"

namespace xtrace {

namespace {

/// By call, edges of the longest chain of shown links that ends there. A link against the clock
/// counts like any other, unless it closes a circle: there the clock decides.
std::vector<int64_t> chains_to(const Graph& graph, const Selection& selection) {
  std::vector<std::pair<uint32_t, uint32_t>> ends;
  for (uint32_t i : selection.links)
    ends.emplace_back(graph.links()[i].from.index, graph.links()[i].to.index);
  for (const Link& link : selection.adjusted) ends.emplace_back(link.from.index, link.to.index);
  LongestChains chains = longest_chains(graph.trace().calls.size(), ends);
  std::ranges::stable_sort(ends, {}, &std::pair<uint32_t, uint32_t>::first);
  const size_t dropped = std::erase_if(ends, [&](const auto& link) {
    const auto& [from, to] = link;
    const bool drop = chains.open[to] > 0 && !graph.timeline().before(CallId(from), CallId(to));
    chains.open[to] -= drop;
    return drop;
  });
  return dropped > 0 ? longest_chains(chains.to.size(), ends).to : std::move(chains.to);
}

/// From the last call to the first, so that what was spawned below is measured before its spawner.
/// What a subagent did after it was resumed is below the call that resumed it.
void measure_below(const Graph& graph, const Selection& selection, Metrics& metrics) {
  struct Below {
    int64_t agents = 0;
    Time last_end = kNoTime;
  };
  std::vector<bool> is_spawned(metrics.of.size());
  for (uint32_t i : selection.links)
    if (graph.links()[i].kind == LinkKind::subagent_spawn)
      is_spawned[graph.links()[i].to.index] = true;
  std::vector<Below> conversation(graph.conversations().size());
  std::vector<Below> stretch(metrics.of.size());  // by its first call
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
      const Below& child = stretch[link.to.index];
      of.descendants += 1 + child.agents;
      of.last_end = std::max(of.last_end, child.last_end);
    }
    Below& own = conversation[graph.conversation_of(id).number - 1];
    own.agents += of.descendants;
    own.last_end = std::max(own.last_end, of.last_end);
    if (is_spawned[id.index]) stretch[id.index] = std::exchange(own, {});
  }
}

/// That of the sessions of which any call is shown, as nothing else tells what it waited for.
CallPath path_of(const Graph& graph, const Selection& selection) {
  std::vector<bool> is_shown(graph.sessions().size(), false);
  for (CallId id : graph.timeline().in_order())
    if (selection.shows(id)) is_shown[graph.session_of(id).number - 1] = true;
  const auto shows = [&](CallId id) -> bool { return is_shown[graph.session_of(id).number - 1]; };
  if (selection.hidden.nodes == 0 && selection.hidden.edges == 0)
    return critical_path(graph, {shows, selection.links});
  std::vector<uint32_t> links;  // also those that are hidden: they were waited for all the same
  for (uint32_t i = 0; i < graph.links().size(); ++i)
    if (shows(graph.links()[i].from) && shows(graph.links()[i].to)) links.push_back(i);
  return critical_path(graph, {shows, links});
}

}  // namespace

Metrics measure(const Graph& graph, const Selection& selection) {
  Metrics metrics;
  metrics.of.resize(graph.trace().calls.size());
  std::vector<int64_t> children(metrics.of.size(), 0);
  metrics.of_session.resize(graph.sessions().size());
  std::set<uint32_t> spawned;  // conversations: one that is resumed is one subagent
  for (uint32_t i : selection.links) {
    const Link& link = graph.links()[i];
    ++metrics.of[link.from.index].out_degree;
    ++metrics.of[link.to.index].in_degree;
    Metrics::OfSession& session = metrics.of_session[graph.session_of(link.to).number - 1];
    if (link.kind == LinkKind::tool_result && !link.is_again) ++session.tool_results;
    if (link.kind != LinkKind::subagent_spawn) continue;
    if (spawned.insert(graph.conversation_of(link.to).number).second) ++session.spawns;
    ++children[link.from.index];
  }
  for (const Metrics::OfSession& session : metrics.of_session) {
    metrics.spawns += session.spawns;
    metrics.tool_results += session.tool_results;
  }
  int64_t parents =
      std::count_if(children.begin(), children.end(), [](int64_t n) { return n > 0; });
  if (parents > 0)
    metrics.branching = static_cast<double>(metrics.spawns) / static_cast<double>(parents);
  const std::vector<int64_t> chains = chains_to(graph, selection);
  for (CallId id : graph.timeline().in_order()) {
    int64_t& depth = metrics.of_session[graph.session_of(id).number - 1].depth;
    depth = std::max(depth, chains[id.index]);
    metrics.depth = std::max(metrics.depth, depth);
  }
  metrics.path = path_of(graph, selection);
  measure_below(graph, selection, metrics);
  return metrics;
}

}  // namespace xtrace
