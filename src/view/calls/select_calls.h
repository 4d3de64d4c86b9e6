#pragma once

#include "view/common/filter.h"
#include "view/common/selection.h"

namespace xtrace {

/// The calls that the filters choose, and the links between them. Exit::no when a session, agent or
/// tool of that name is not there, Exit::usage for a time that cannot be read and for links that
/// such an answer never has.
Result<Selection> select_calls(const Filter& filter, const Graph& graph);

}  // namespace xtrace
