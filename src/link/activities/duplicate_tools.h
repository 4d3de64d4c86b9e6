#pragma once

#include <vector>

#include "link/hops/hops.h"

namespace xtrace {

/// Spans of runs of tools that another span states as well, by hop: the one that counts for both;
/// nowhere: it counts itself. Within a run of a tool, at any depth, spans that name the same tool,
/// such as the request to its server and the tries of that, are that run; the outer span counts.
std::vector<HopId> duplicate_tools(const Trace& trace, const Hops& hops);

}  // namespace xtrace
