#pragma once

#include <span>
#include <vector>

#include "base/id.h"

namespace xtrace {

struct Trace;

/// Removes calls that others represent: `stands_for`, by call, itself or the one that stays.
/// Returns where each of them is now, by its old place. Converted links of what is taken out go
/// with it.
std::vector<CallId> merge_calls(Trace& trace, std::span<const CallId> stands_for);

}  // namespace xtrace
