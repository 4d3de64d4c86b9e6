#pragma once

#include <vector>

#include "input/transcripts/threads.h"

namespace xtrace {

/// Indices of the threads as they began: a session that goes on with another's history comes behind
/// that.
std::vector<uint32_t> in_order(const RawTrace& trace, const std::vector<Thread>& threads);

}  // namespace xtrace
