#pragma once

#include <vector>

#include "link/hops/hops.h"

namespace xtrace {

/// Spans of model calls that another one tells of as well, where two libraries saw one call, by
/// hop: the one that stands for both; nowhere: it stands for itself. Of one below the other the
/// inner one does, if it tells of tokens or the outer one does not. What asks for vectors, or
/// another model, inside of a call is a call of its own, and so is an attempt that failed and was
/// got over, unless the call counts it itself. Likewise of tools: within a run of one the only span
/// that names the same tool, such as the request to the server that has it; there the outer one
/// stands for both.
std::vector<HopId> duplicate_calls(const Trace& trace, const Hops& hops);

/// Do both tell how many tokens were used, and of as many sent and received? What of those sent
/// came from a cache only one may know.
bool tell_same_counts(const Tokens& one, const Tokens& other);

}  // namespace xtrace
