#pragma once

#include "input/common/raw_trace.h"

namespace xtrace {

/// Gives results of tools that went on in the background the end that a later record states, by the
/// tool use or, in the same session, by the id of what went on. Requires: calls are assembled.
void settle_background(RawTrace& trace);

}  // namespace xtrace
