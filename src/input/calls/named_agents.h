#pragma once

#include "input/common/raw_trace.h"

namespace xtrace {

/// The words of a result that name a subagent are not believed where its tool use works on a file
/// or an address or runs a command: whatever those say, reading them started nobody. A result whose
/// tool use is not in the input is believed.
void forget_agents_named_by_others(RawTrace& trace);

}  // namespace xtrace
