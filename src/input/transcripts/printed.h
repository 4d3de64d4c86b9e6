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
/// latter counts; the former is counted as copies. A run that began when the latter ends is not in
/// it: it went on with a session of which an older state is at hand. Every utterance has to know
/// its session.
void drop_printed(RawTrace& trace);

}  // namespace xtrace
