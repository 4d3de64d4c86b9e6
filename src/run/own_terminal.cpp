#include "run/own_terminal.h"

#include <string_view>

#include "base/system.h"
#include "base/variable.h"

namespace xtrace {

bool is_in_ci() {
  return !variable("CI").empty();
}

bool is_own_terminal(const Audience& audience) {
  return audience.is_allowed && !audience.is_kept && !audience.is_shared && !is_in_ci() &&
         is_terminal(kStandardOutput);
}

std::string own_home() {
  std::string_view path = variable("HOME");
  while (path.ends_with('/')) path.remove_suffix(1);
  return std::string(path);
}

std::string own_user() {
  const std::string home = own_home();
  const std::string_view path = home;
  // Homes on a network are deeper: `/nfs/home/NAME`.
  const size_t name = path.rfind('/');
  if (name == path.npos) return {};
  const std::string_view homes = path.substr(0, name);
  const bool is_among_homes = homes.ends_with("/home") || homes.ends_with("/Users");
  return is_among_homes ? std::string(path.substr(name + 1)) : std::string();
}

}  // namespace xtrace
