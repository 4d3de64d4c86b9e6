#pragma once

#include <functional>
#include <vector>

#include "link/hops/hops.h"

namespace xtrace {

class Graph;

/// What of the hops somebody looks at.
struct ShownHops {
  std::function<bool(HopId)> shows;
  std::function<bool(HopId)> shows_cause_of;  ///< the edge from its cause to it
};

/// What had to go on for how long, in a tree of spans in which each waits for those below it.
///
///     agent  ├────────────────────────┤      on the path: agent, model, tool b
///     model    ├─────┤                       slack of tool a: until tool b ends
///     tool a          ├────┤╌╌╌╌╌╌
///     tool b          ├──────────┤
struct HopPath {
  struct Of {
    Duration on_path{0};           ///< of its own, with nothing on the path below it under way
    Duration slack = kNoDuration;  ///< it could have taken longer, and its run not
    bool is_on_path = false;       ///< of the run that took longest
    bool is_leaf = true;           ///< nothing is below it
  };
  std::vector<Of> of;  ///< by hop
  int64_t hops = 0;    ///< on the path
  Duration took{0};    ///< the path
};

/// The critical path of the run that took longest, as its replay has it (link/replay): from the end
/// of a hop back, the one below it that ended last, then the one that ended last before that one
/// began, and so on down. The others have slack. Of what goes on after the one above it has ended,
/// or clocks that differ put before it, only what they have in common counts. Hops of unknown
/// length are left out, and moments have no slack.
HopPath critical_path(const Graph& graph, const Hops& hops, const ShownHops& shown);

}  // namespace xtrace
