#pragma once

#include "view/common/selection.h"

namespace xtrace {

/// Of the records of one call in several logs (Partners::stands_for) shows one, the transcript's
/// where there is one, as it knows agents and sessions best; links of the others become its own.
/// Nothing of this is hidden by a filter.
void deduplicate_calls(const Graph& graph, Selection& selection);

/// Shows no call that nobody recorded: all of a subagent that only a report tells of is no call.
void leave_out_unrecorded(const Graph& graph, Selection& selection);

}  // namespace xtrace
