#include "view/calls/metrics.h"

#include <algorithm>
#include <map>

namespace xtrace {

namespace {

/// Nothing where it is unknown.
Duration or_none(Duration length) {
  return length == kNoDuration ? Duration{0} : std::max(length, Duration{0});
}

Duration waited(const Link& link) {
  bool worked = link.kind == LinkKind::tool_result || link.kind == LinkKind::subagent_spawn;
  return worked ? or_none(link.gap) : Duration{0};
}

/// What a call waited for, and how long before it began.
struct WaitedCause {
  EventId from;
  Duration waited{0};
};

/// Of the shown links into each event that agree with the clock; such links form no cycle.
std::vector<std::vector<WaitedCause>> causes_of(const Graph& graph, const Selection& selection) {
  std::vector<std::vector<WaitedCause>> causes(graph.trace().events.size());
  for (uint32_t i : selection.links) {
    const Link& link = graph.links()[i];
    EventId from = selection.standing(link.from), to = selection.standing(link.to);
    if (graph.timeline().before(from, to)) causes[to.index].push_back({from, waited(link)});
  }
  return causes;
}

void measure_chains(const Graph& graph, const Selection& selection, Metrics& metrics) {
  std::vector<std::vector<WaitedCause>> causes = causes_of(graph, selection);
  std::vector<int64_t> depth(causes.size(), 0);
  std::vector<Duration> time(causes.size(), Duration{0});
  std::vector<EventId> slowest(causes.size());  // before each on the longest way to it
  EventId last;
  for (EventId id : graph.timeline().in_order()) {
    if (!selection.shows(id)) continue;
    Duration before{0};
    for (const WaitedCause& cause : causes[id.index]) {
      depth[id.index] = std::max(depth[id.index], depth[cause.from.index] + 1);
      Duration way = plus(time[cause.from.index], cause.waited);
      if (!slowest[id.index] || way > before) {
        before = way;
        slowest[id.index] = cause.from;
      }
    }
    time[id.index] = plus(before, or_none(graph.timeline()[id].duration));
    metrics.depth = std::max(metrics.depth, depth[id.index]);
    if (!last || time[id.index] > time[last.index]) last = id;
  }
  if (!last) return;
  metrics.critical_time = time[last.index];
  for (EventId at = last; at; at = slowest[at.index]) {
    metrics.critical_path.push_back(at);
    metrics.of[at.index].on_critical_path = true;
  }
  std::reverse(metrics.critical_path.begin(), metrics.critical_path.end());
}

/// From the last call to the first, so that what was spawned below is measured before its spawner.
void measure_below(const Graph& graph, const Selection& selection, Metrics& metrics) {
  struct Below {
    int64_t agents = 0;
    Time last_end = kNoTime;
  };
  std::vector<Below> conversation(graph.conversations().size());
  std::span<const EventId> order = graph.timeline().in_order();
  for (size_t i = order.size(); i-- > 0;) {
    EventId id = order[i];
    if (!selection.shows(id)) continue;
    Metrics::Of& of = metrics.of[id.index];
    const Event& event = graph.timeline()[id];
    if (event.duration != kNoDuration) of.last_end = event.end();
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
  metrics.of.resize(graph.trace().events.size());
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
  measure_chains(graph, selection, metrics);
  measure_below(graph, selection, metrics);
  return metrics;
}

namespace {

/// A call that takes a subagent's result waited for the subagent's last call. No wait is told of in
/// between: that much longer it could have taken. One that went on in the background is not waited
/// for.
void add_awaited(const Graph& graph, const Selection& selection,
                 std::vector<std::vector<WaitedCause>>& causes) {
  std::map<uint32_t, EventId> takers;  // by tool use
  std::vector<bool> is_spawned(causes.size(), false);
  for (uint32_t i : selection.links) {
    const Link& link = graph.links()[i];
    if (link.kind == LinkKind::tool_result && link.tool_use)
      takers.try_emplace(link.tool_use.index, selection.standing(link.to));
    if (link.kind == LinkKind::subagent_spawn) is_spawned[selection.standing(link.to).index] = true;
  }
  for (uint32_t i : selection.links) {
    const Link& link = graph.links()[i];
    if (link.kind != LinkKind::subagent_spawn || !link.tool_use) continue;
    auto taker = takers.find(link.tool_use.index);
    if (taker == takers.end()) continue;
    EventId first = selection.standing(link.to), last;
    for (EventId id : graph.conversation_of(first).events) {
      if (last && is_spawned[id.index]) break;  // resumed by another
      if (selection.shows(id) && (last || id == first)) last = id;
    }
    if (!last || !graph.timeline().before(last, taker->second)) continue;
    const Event& ended = graph.timeline()[last];
    Time end = ended.duration == kNoDuration ? ended.start : ended.end();
    if (end <= graph.timeline()[taker->second].start)
      causes[taker->second.index].push_back({last, Duration{0}});
  }
}

}  // namespace

std::vector<Duration> slack(const Graph& graph, const Selection& selection) {
  std::vector<std::vector<WaitedCause>> causes = causes_of(graph, selection);
  add_awaited(graph, selection, causes);
  // Of the longest chains that end, and that begin, with each call; its own length is in both.
  std::vector<Duration> until(causes.size(), Duration{0}), from(causes.size(), Duration{0});
  auto length = [&](EventId id) { return or_none(graph.timeline()[id].duration); };
  std::span<const EventId> order = graph.timeline().in_order();
  for (EventId id : order) {
    if (!selection.shows(id)) continue;
    for (const WaitedCause& cause : causes[id.index])
      until[id.index] = std::max(until[id.index], plus(until[cause.from.index], cause.waited));
    until[id.index] = plus(until[id.index], length(id));
  }
  for (size_t at = order.size(); at-- > 0;) {
    EventId id = order[at];
    if (!selection.shows(id)) continue;
    from[id.index] = plus(from[id.index], length(id));
    for (const WaitedCause& cause : causes[id.index]) {
      Duration& before = from[cause.from.index];
      before = std::max(before, plus(from[id.index], cause.waited));
    }
  }
  auto through = [&](EventId id) { return plus(until[id.index], from[id.index] - length(id)); };
  std::vector<Duration> longest(graph.sessions().size(), Duration{0});
  auto session = [&](EventId id) -> Duration& { return longest[graph.session_of(id).number - 1]; };
  for (EventId id : order)
    if (selection.shows(id)) session(id) = std::max(session(id), through(id));
  std::vector<Duration> slack(causes.size(), kNoDuration);
  for (EventId id : order)
    if (selection.shows(id) && graph.timeline()[id].duration != kNoDuration)
      slack[id.index] = session(id) - through(id);
  return slack;
}

}  // namespace xtrace
