#include "link/activities/hop_path.h"

#include <map>

#include "link/replay/replay.h"

namespace xtrace {

namespace {

/// Whose own time a step is: a wait is that of the hop above it.
HopId hop_of(const Replay& replay, const ReplayStep& step) {
  if (step.kind != ReplayStep::Kind::wait) return step.hop;
  return step.within == ReplayStep::kNone ? HopId() : replay.steps[step.within].hop;
}

/// How long each hop on a path was on it.
std::map<HopId, Duration> lengths_on(const Replay& replay, const ReplayPath& path) {
  std::map<HopId, Duration> lengths;
  for (uint32_t node : path.nodes) lengths.try_emplace(replay.nodes[node].hop);
  for (const auto& [step, length] : path.on_path)
    if (const auto found = lengths.find(hop_of(replay, replay.steps[step])); found != lengths.end())
      found->second = plus(found->second, length);
  return lengths;
}

}  // namespace

HopPath critical_path(const Graph& graph, const Hops& hops, const ShownHops& shown) {
  HopPath found;
  found.of.resize(hops.all.size());
  for (size_t i = 0; i < found.of.size(); ++i)
    if (const HopId id(i); shown.shows(id) && shown.shows_cause_of(id))
      found.of[hops[id].cause.index].is_leaf = false;
  const Replay replay = replay_hops(graph, hops, shown);
  std::map<HopId, Duration> longest;
  for (const ReplayPath& path : find_paths(replay, {}, recorded_times(replay)).of_run) {
    std::map<HopId, Duration> lengths = lengths_on(replay, path);
    Duration took{0};
    for (const auto& [id, length] : lengths) took = plus(took, length);
    if (took <= found.took) continue;
    found.took = took;
    longest = std::move(lengths);
  }
  for (const auto& [id, length] : longest) {
    found.of[id.index].is_on_path = true;
    found.of[id.index].on_path = length;
  }
  found.hops = static_cast<int64_t>(longest.size());
  const std::vector<Duration> slack = find_slack(replay);
  for (size_t i = 0; i < slack.size(); ++i)
    if (const HopId id = replay.nodes[i].hop; hops[id].duration > Duration{0})
      found.of[id.index].slack = slack[i];
  return found;
}

}  // namespace xtrace
