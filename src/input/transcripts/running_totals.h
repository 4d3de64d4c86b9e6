#pragma once

#include "input/common/raw_trace.h"

namespace xtrace {

/// A program that runs on tells at the end of each turn what all of them used up, and one that is
/// started again begins anew; both may write into one file. Of totals that sum up, the last ones of
/// each run are left; calls are counted by the turn. Every utterance has to know its session.
void join_running_totals(RawTrace& trace);

}  // namespace xtrace
