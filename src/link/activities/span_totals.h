#pragma once

#include "link/activities/activities.h"

namespace xtrace {

/// A span of an agent may name the tokens of all that it did, and the calls of models
/// below it name theirs. Sums differ: a log lacks calls, and libraries count differently. Marks
/// such spans (Activity::totals), so that nobody counts or prices the same tokens twice.
void find_span_totals(const Graph& graph, Activities& activities);

}  // namespace xtrace
