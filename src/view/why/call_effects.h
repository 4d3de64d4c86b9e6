#pragma once

#include <span>
#include <vector>

#include "link/graph/graph.h"

namespace xtrace {

/// A call that a link leads to from another one, and what followed from it.
struct CallEffect {
  const Link* link;           ///< the surest of those between the two
  std::vector<CallId> chain;  ///< from the effect to the one that ended last of what followed
  int64_t descendants = 0;    ///< calls that followed from it, each counted with its main cause
};

/// What of several links led there most surely; nullptr: none did, or clocks differ.
const Link* main_cause(const Graph& graph, CallId call);

/// What came of calls that belong together beyond these, in order of time.
std::vector<CallEffect> effects_of(const Graph& graph, std::span<const CallId> calls);

}  // namespace xtrace
