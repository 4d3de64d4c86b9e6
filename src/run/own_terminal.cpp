#include "run/own_terminal.h"

#include <unistd.h>

#include <cstdlib>

namespace xtrace {

bool is_own_terminal(const Audience& audience) {
  const char* ci = std::getenv("CI");
  const bool in_ci = ci != nullptr && *ci != '\0';
  return audience.is_allowed && !audience.is_kept && !audience.is_shared && !in_ci &&
         isatty(STDOUT_FILENO) == 1;
}

}  // namespace xtrace
