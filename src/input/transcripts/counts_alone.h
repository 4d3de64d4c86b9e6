#pragma once

#include "input/common/raw_trace.h"

namespace xtrace {

/// A count that tells another sum than the one before it, though nothing was answered since, is of
/// a call whose words were not kept, as when a client has the conversation summarised: it becomes
/// an answer that nobody asked for. Counts that are told again have the same name (`answer`).
void tell_calls_of_counts(RawTrace& trace);

}  // namespace xtrace
