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

}  // namespace xtrace
