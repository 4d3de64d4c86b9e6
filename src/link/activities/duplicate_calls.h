#pragma once

#include <vector>

#include "link/hops/hops.h"

namespace xtrace {

/// Spans of model calls that another one tells of as well, where two libraries saw one call, by
/// hop: the one that stands for both; nowhere: it stands for itself. Of one below the other the
/// inner one does, if it tells of tokens or the outer one does not.
std::vector<HopId> duplicate_calls(const Trace& trace, const Hops& hops);

}  // namespace xtrace
