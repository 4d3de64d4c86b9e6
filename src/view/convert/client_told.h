#pragma once

#include <cstdint>
#include <vector>

#include "link/graph/graph.h"

namespace xtrace {

/// What clients tell of their sessions, by the call that it is told with: the last one of the
/// session that had begun, else its first one. Indices into Trace::measurements.
std::vector<std::vector<uint32_t>> told_with_calls(const Graph& graph);

}  // namespace xtrace
