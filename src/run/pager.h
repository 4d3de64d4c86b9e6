#pragma once

#include <signal.h>
#include <sys/types.h>

namespace xtrace {

/// May a pager show what is written to standard output? Not in CI, not on a terminal that cannot
/// move about, and not where a program runs us instead of a person at a terminal.
bool may_page();

/// While it lives, `$XTRACE_PAGER`, else `$PAGER`, else `less` shows what is written to standard
/// output; what fits on one screen `less` leaves there. Empty or `cat`: none. Where the program is
/// not to be had, nothing stands between.
class Pager {
 public:
  explicit Pager(bool is_wanted);
  ~Pager();  ///< waits until who reads has seen enough
  Pager(const Pager&) = delete;
  Pager& operator=(const Pager&) = delete;

 private:
  pid_t process_ = -1;
  int terminal_ = -1;  ///< what standard output was
  struct sigaction interrupted_ {};
};

}  // namespace xtrace
