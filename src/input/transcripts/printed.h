#pragma once

#include "input/common/raw_trace.h"

namespace xtrace {

/// What a run prints is an echo of what it keeps elsewhere, if it does.
inline void mark_printed(Utterance& said) {
  said.way = Utterance::Way::printed;
}
inline bool is_printed(const Utterance& said) {
  return said.way == Utterance::Way::printed;
}

/// Is it stated a second time, by an event or by a run?
inline bool is_echo(const Utterance& said) {
  return said.way == Utterance::Way::echoed || is_printed(said);
}

/// Drops what a run printed of a session that is also kept, and counts it as copies. What was
/// printed later than the last that was kept is in no copy: an older state of the session is at
/// hand. Without dates, as many answers are copies as were kept. A failure is one only where what
/// was kept states one.
void drop_printed(RawTrace& trace);

}  // namespace xtrace
