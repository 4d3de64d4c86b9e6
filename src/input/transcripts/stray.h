#pragma once

#include "input/common/raw_trace.h"

namespace xtrace {

/// Lines that any log may have are records only where others of their file are: elsewhere they say
/// nothing, and are told as what they are.
void drop_stray(RawTrace& trace);

}  // namespace xtrace
