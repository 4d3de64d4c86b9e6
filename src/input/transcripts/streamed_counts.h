#pragma once

#include "input/common/raw_trace.h"

namespace xtrace {

/// How an answer came in tells at its end what it used up, and not of which answer: of the one that
/// began before it in its file and conversation. The answer itself was written down while it came.
void settle_streamed_counts(RawTrace& trace);

}  // namespace xtrace
