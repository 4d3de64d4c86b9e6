#pragma once

#include "input/common/raw_trace.h"

namespace xtrace {

/// What a run prints is an echo of what it keeps elsewhere, if it does.
inline void mark_printed(Utterance& said) {
  said.is_echo = said.is_copy = true;
}
inline bool is_printed(const Utterance& said) {
  return said.is_echo && said.is_copy;
}

/// Drops what a run printed of a session that is also kept, and counts it as copies. What was
/// printed later than the last that was kept is in no copy: an older state of the session is at
/// hand. Without dates, as many answers are copies as were kept. A failure is one only where what
/// was kept states one.
void drop_printed(RawTrace& trace);

}  // namespace xtrace
