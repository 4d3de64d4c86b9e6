#pragma once

#include <cstdint>
#include <vector>

#include "link/graph/graph.h"

namespace xtrace {

/// Measurements of sessions by their clients, each with the last call of the session that had
/// begun, or with its first one. Indices into Trace::measurements.
std::vector<std::vector<uint32_t>> client_measurements_by_call(const Graph& graph);

}  // namespace xtrace
