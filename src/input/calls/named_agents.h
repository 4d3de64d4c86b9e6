#pragma once

#include "input/common/raw_trace.h"

namespace xtrace {

/// The words of a result that name a subagent are believed only where its tool use told one what to
/// do: whatever a file or a page says, reading it started nobody. A result whose tool use is not in
/// the input is believed.
void forget_agents_named_by_others(RawTrace& trace);

}  // namespace xtrace
