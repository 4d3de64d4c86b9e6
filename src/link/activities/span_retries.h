#pragma once

#include "link/activities/activities.h"

namespace xtrace {

/// Marks what spans record that was done again after it failed: below the same cause, of the same
/// caller, called and name, started when the failed one had ended; and of model calls, the next
/// request of the same agent to the same model in the same run. What was asked for is not on
/// record. Attempts below the span of a call of a model, or of a tool, are attempts at that.
void find_span_retries(const Graph& graph, Activities& activities);

}  // namespace xtrace
