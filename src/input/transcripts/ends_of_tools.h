#pragma once

#include "input/common/raw_trace.h"

namespace xtrace {

/// What a tool gave may say in words alone that it failed, and an event of its file that it did, or
/// how long it ran.
void read_ends_of_tools(RawTrace& trace);

}  // namespace xtrace
