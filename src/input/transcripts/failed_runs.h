#pragma once

#include "input/common/raw_trace.h"

namespace xtrace {

/// A run that went wrong may tell so at its end, behind answers that it got: then its last call is
/// the one that failed, and the end is no call of its own. Every utterance has to know
/// its session.
void settle_failed_runs(RawTrace& trace);

}  // namespace xtrace
