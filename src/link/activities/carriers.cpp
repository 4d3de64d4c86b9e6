#include "link/activities/carriers.h"

namespace xtrace {

namespace {

bool counts_as_call(const Activity& done) {
  return done.kind == Activity::Kind::model_call && !done.same_as;
}

/// The model call that a hop is or carries; nowhere: none.
HopId carried_by(const Graph& graph, HopId at) {
  constexpr int kFurthest = 16;  // spans below a call
  for (int step = 0; step < kFurthest && at; ++step) {
    const Activity& done = graph.activities().of(at);
    if (counts_as_call(done)) return at;
    // Tools and agents work for themselves.
    if (done.kind != Activity::Kind::other && !done.same_as) return {};
    at = graph.hops()[at].cause;
  }
  return {};
}

}  // namespace

std::vector<Duration> with_carriers(const Graph& graph, const HopPath& path,
                                    const std::function<bool(HopId)>& shows) {
  std::vector<Duration> times(path.of.size());
  for (size_t i = 0; i < times.size(); ++i) {
    if (!path.of[i].is_on_path) continue;
    const HopId call = carried_by(graph, HopId(i));
    Duration& time = times[call && path.of[call.index].is_on_path && shows(call) ? call.index : i];
    time = plus(time, path.of[i].on_path);
  }
  return times;
}

}  // namespace xtrace
