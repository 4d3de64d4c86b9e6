#pragma once

#include <vector>

#include "link/hops/hops.h"

namespace xtrace {

/// Calls of agents that begin before anybody called the agent in their run, though somebody did
/// later: clocks differ, or the call that led to them is not in the input.
std::vector<HopId> find_begun_early(const Hops& hops);

}  // namespace xtrace
