#pragma once

#include "input/common/raw_trace.h"

namespace xtrace {

/// Puts what a program showed its user of a session (Utterance::Way) together with what it
/// sent to the model, where that stands beside it: what each request used up goes to its answer,
/// and what both tell counts once. Where nothing else is on record, what was shown makes the calls.
void join_shown(RawTrace& trace);

}  // namespace xtrace
