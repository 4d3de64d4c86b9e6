#pragma once

#include <functional>
#include <vector>

#include "link/hops/hops.h"

namespace xtrace {

/// Spans of model calls that another one tells of as well, where two libraries saw one call, by
/// hop: of one below the other, the inner one counts, if it tells of tokens or the outer one does
/// not. `leads`: may one go from a hop to its cause?
std::vector<bool> duplicate_calls(const Trace& trace, const Hops& hops,
                                  const std::function<bool(HopId)>& leads);
/// The same, whatever is shown.
std::vector<bool> duplicate_calls(const Trace& trace, const Hops& hops);

}  // namespace xtrace
