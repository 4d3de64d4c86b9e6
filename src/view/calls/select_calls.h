#pragma once

#include "base/zone.h"
#include "view/common/filter.h"
#include "view/common/selection.h"

namespace xtrace {

/// The calls that the filters choose, and the links between them. Exit::no when a session, agent or
/// tool of that name is not there, Exit::usage for a time that cannot be read and for links that
/// such an answer never has.
Result<Selection> select_calls(const Filter& asked, const Graph& graph, const Zone& zone);

/// Shows no call that nobody recorded: all of a subagent that only a report tells of is no call.
void leave_out_unrecorded(const Graph& graph, Selection& selection);

}  // namespace xtrace
