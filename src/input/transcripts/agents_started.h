#pragma once

#include <cstddef>
#include <span>

#include "input/common/raw_trace.h"

namespace xtrace {

/// Tells reports of Cline's agents, which have no messages of their own, the tool use that started
/// these: the only one at work, asked for and without its result yet, when they were told of.
/// `sent` and `reports` are utterances of one session, the former in the order of their file.
void name_agents_started(std::span<const size_t> sent, std::span<const size_t> reports,
                         RawTrace& trace);

}  // namespace xtrace
