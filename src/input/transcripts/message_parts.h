#pragma once

#include "input/common/raw_trace.h"

namespace xtrace {

/// Parts of messages learn from these whose they are, when they were said, in which session. One
/// that does not name its message stands in the folder that does. Parts that are on record twice
/// count once, and a message that holds the answers of several calls becomes one for each.
void join_parts(RawTrace& trace);

}  // namespace xtrace
