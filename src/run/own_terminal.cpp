#include "run/own_terminal.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace xtrace {

bool is_own_terminal(const Audience& audience) {
  const char* ci = std::getenv("CI");
  const bool in_ci = ci != nullptr && *ci != '\0';
  return audience.is_allowed && !audience.is_kept && !audience.is_shared && !in_ci &&
         isatty(STDOUT_FILENO) == 1;
}

std::string own_user() {
  const char* home = std::getenv("HOME");
  std::string_view path = home != nullptr ? home : "";
  while (path.ends_with('/')) path.remove_suffix(1);
  for (std::string_view homes : {"/home/", "/Users/"})
    if (path.starts_with(homes) && path.find('/', homes.size()) == std::string_view::npos)
      return std::string(path.substr(homes.size()));
  return {};
}

}  // namespace xtrace
