#pragma once

#include "input/common/raw_trace.h"

namespace xtrace {

/// A program that runs on tells at the end of each turn what all of them used up, and one that is
/// started again begins anew; both may write into one file. Of totals that sum up, the last ones of
/// each run are left; calls are counted by the turn. Where they are counted as well since the start
/// (`is_whole`), the calls and what is known of their output have to be enough for every answer
/// since the total before, or it is not in this one. Every utterance has to know its session.
void join_running_totals(RawTrace& trace);

}  // namespace xtrace
