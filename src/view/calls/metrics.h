#pragma once

#include <vector>

#include "link/activities/critical_path.h"
#include "view/common/selection.h"

namespace xtrace {

/// Numbers about a graph of calls, of what is shown of it.
struct Metrics {
  struct Of {
    int64_t in_degree = 0, out_degree = 0;
    int64_t descendants = 0;  ///< subagents spawned below
    Time last_end = kNoTime;  ///< of the call and everything spawned below
  };
  struct OfSession {
    int64_t depth = 0, spawns = 0, tool_results = 0;
  };
  std::vector<Of> of;                 ///< by call
  std::vector<OfSession> of_session;  ///< by the session's number, from 0
  int64_t depth = 0;                  ///< edges of the longest chain
  double branching = 0;               ///< mean number of subagents of the calls that start any
  int64_t spawns = 0, tool_results = 0;
  CallPath path;
};

Metrics measure(const Graph& graph, const Selection& selection);

}  // namespace xtrace
