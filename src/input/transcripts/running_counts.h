#pragma once

#include "input/common/raw_trace.h"

namespace xtrace {

/// Some programs count with each turn what the whole thread has used up so far (a `counted` that
/// sums up): what is left is what that turn did. A count that is lower than the one before it in
/// anything begins anew. Every utterance has to know its session.
void take_apart_running_counts(RawTrace& trace);

}  // namespace xtrace
