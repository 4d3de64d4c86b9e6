#pragma once

#include "input/common/raw_trace.h"

namespace xtrace {

/// A message in which an agent reports names it by its path; what tells of the agent knows both its
/// path and its id. Every utterance has to know its session.
void name_reporters(RawTrace& trace);

}  // namespace xtrace
