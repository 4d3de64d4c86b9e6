#pragma once

#include <string>

namespace xtrace {

/// What was said about who is to see an answer.
struct Audience {
  bool is_kept = false;    ///< it goes into a file
  bool is_shared = false;  ///< others are to see it as well: `--share`
  bool is_allowed = true;  ///< `ownTerminal` of the configuration
};

/// Does the program run in CI, whose logs others read?
bool is_in_ci();

/// Does nobody but who asks see what is written to standard output? On a terminal, outside of CI.
/// To be asked before our pager starts, which shows the answer to the same person.
bool is_own_terminal(const Audience& audience);

/// What the home folder of who asks is called, if it lies where homes do: `/home/NAME`,
/// `/Users/NAME`.
std::string own_user();
/// Their home; empty: there is none.
std::string own_home();

}  // namespace xtrace
