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

/// Of a session of which both is on record, what its run printed and what was kept of it, the
/// latter counts; the former is counted as copies. What was printed later than the last that was
/// kept is in no copy: an older state of the session is at hand. Without dates, as many answers are
/// copies as were kept. A failure is one only where what was kept tells of one. Every utterance has
/// to know its session.
void drop_printed(RawTrace& trace);

}  // namespace xtrace
