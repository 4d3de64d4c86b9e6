#pragma once

#include "input/common/raw_trace.h"

namespace xtrace {

/// Bills that only their order tells the answers of (a `billed` that is whole): they are of a
/// session's answers, agent by agent, if there are as many, and no model, count of output or use of
/// tools is another one. Else they are of the session together, unless that tells what it used up
/// itself; of a session of which no answer is on record each stays a call's. Every utterance has to
/// know its session.
void name_bills_in_order(RawTrace& trace);

}  // namespace xtrace
