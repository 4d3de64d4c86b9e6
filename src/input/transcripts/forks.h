#pragma once

#include <unordered_map>

#include "input/common/raw_trace.h"

namespace xtrace {

/// The utterance with which a fork begins, behind what it took over → the one that it goes on from.
using ForkedFrom = std::unordered_map<uint32_t, uint32_t>;

/// A fork may begin with a copy of what the thread that it goes on from had said by then, some of
/// it left out, dated as that one or anew: it counts once, there. Which thread that is, a heading
/// tells; where nothing of it is on record, the copy is all there is and stays. Every utterance has
/// to know its session and agent, as its own file tells them.
ForkedFrom drop_forked(RawTrace& trace);

}  // namespace xtrace
