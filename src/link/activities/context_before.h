#pragma once

#include <vector>

#include "facts/call.h"

namespace xtrace {

class Graph;

/// By call: the last one before it in its conversation that tells what it sent, with what a request
/// goes on; attempts that failed are passed over. Nowhere: it is the first one.
std::vector<CallId> contexts_before(const Graph& graph);

}  // namespace xtrace
