#pragma once

#include <vector>

#include "view/common/selection.h"

namespace xtrace {

/// Numbers about a graph of calls, of what is shown of it.
struct Metrics {
  struct Of {
    int64_t in_degree = 0, out_degree = 0;
    int64_t descendants = 0;  ///< subagents spawned below
    Time last_end = kNoTime;  ///< of the call and everything spawned below
    bool on_critical_path = false;
  };
  std::vector<Of> of;    ///< by event
  int64_t depth = 0;     ///< edges of the longest chain
  double branching = 0;  ///< mean number of subagents of the calls that start any
  int64_t spawns = 0, tool_results = 0;
  std::vector<EventId> critical_path;
  Duration critical_time{0};
};

/// The critical path is the chain of links that took longest: the durations of its calls and the
/// waits for tools and subagents between them. A user's thinking between two turns is no part of
/// it.
Metrics measure(const Graph& graph, const Selection& selection);

/// By event, how much longer a call could have taken and the chain of links that took longest in
/// its session would still be that: nothing for the calls of that chain. Unknown for what is not
/// shown and for calls of unknown length.
std::vector<Duration> slack(const Graph& graph, const Selection& selection);

}  // namespace xtrace
