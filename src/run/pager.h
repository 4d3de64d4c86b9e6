#pragma once

#include <optional>

#include "base/system.h"

namespace xtrace {

/// May a pager show what is written to standard output? Not in CI, not on a terminal that cannot
/// move about, and not where a program runs us instead of a person at a terminal.
bool may_page();

/// While it lives, `$XTRACE_PAGER`, else `$PAGER`, else `less` shows what is written to standard
/// output; what fits on one screen `less` leaves there. Empty or `cat`: none. If the program is
/// missing, output is written directly.
class Pager {
 public:
  /// Its end waits until the user has seen enough.
  explicit Pager(bool is_wanted);

 private:
  std::optional<PipedCommand> command_;
};

}  // namespace xtrace
