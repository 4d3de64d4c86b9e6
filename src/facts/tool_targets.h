#pragma once

#include <vector>

#include "facts/trace.h"

namespace xtrace {

/// All files and addresses that a tool use of the trace works on, each once, in the order in which
/// its arguments name them; none where they name none.
std::vector<StringId> targets_of(const Trace& trace, const ToolUse& use);

}  // namespace xtrace
