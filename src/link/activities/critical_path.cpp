#include "link/activities/critical_path.h"

#include <algorithm>

#include "link/graph/queries.h"
#include "link/replay/replay.h"

namespace xtrace {

Duration CallPath::took() const {
  Duration all{0};
  for (size_t i = 0; i < parts.size(); ++i)
    if (static_cast<PathPart>(i) != PathPart::person) all = plus(all, parts[i]);
  return all;
}

int64_t CallPath::steps(const Trace& trace) const {
  return std::count_if(calls.begin(), calls.end(),
                       [&](CallId id) { return trace[id].outcome != Outcome::unrecorded; });
}

PathPart gap_before(const Graph& graph, CallId call) {
  if (answers_a_user(graph, call)) return PathPart::person;
  return brings_notice(graph, call) ? PathPart::background : PathPart::unexplained;
}

CallPath critical_path(const Graph& graph, const ShownCalls& shown) {
  const Replay replay = replay_calls(graph, shown);
  CallPath longest;
  for (const ReplayPath& of_session : find_paths(replay, {}, recorded_times(replay)).of_run) {
    CallPath path;
    path.parts = of_session.parts;
    for (uint32_t node : of_session.nodes) path.calls.push_back(replay.nodes[node].call);
    if (longest.calls.empty() || path.took() > longest.took()) longest = std::move(path);
  }
  longest.is_on_path.resize(graph.trace().calls.size());
  for (CallId id : longest.calls) longest.is_on_path[id.index] = true;
  longest.slack.resize(longest.is_on_path.size(), kNoDuration);
  const std::vector<Duration> slack = find_slack(replay);
  for (size_t i = 0; i < slack.size(); ++i)
    if (const CallId id = replay.nodes[i].call; graph.trace()[id].start != kNoTime)
      longest.slack[id.index] = slack[i];
  return longest;
}

}  // namespace xtrace
