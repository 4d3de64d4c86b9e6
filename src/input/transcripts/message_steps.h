#pragma once

#include "input/common/raw_trace.h"

namespace xtrace {

/// A message in parts may hold the answers of several calls: steps that each begin with a part
/// which says so (`is_awaited`) and end with one that counts what it used up. Each becomes an
/// answer by itself; what the message counts is that of its last step, or of all of them. What the
/// tools of one step gave was there before the next one began.
void tell_steps_apart(RawTrace& trace);

}  // namespace xtrace
