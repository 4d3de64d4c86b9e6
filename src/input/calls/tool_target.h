#pragma once

#include <simdjson.h>

#include <string>
#include <string_view>
#include <vector>

#include "input/common/json.h"

namespace xtrace {

/// What the arguments of a tool use say it works on.
struct NamedTargets {
  std::vector<std::string> all;  ///< files, folders or addresses, each once, in their order
  bool are_patched = false;      ///< by a patch that is in the arguments
  size_t words = 0;  ///< characters of what is named first, where all that is named are words
};

/// What a shell is to run; some clients write it as a list of words. Empty: nothing.
std::string command_of(json::element arguments);

/// By the names that tools give to such an argument. `command`: what a shell is to run, if the tool
/// is one.
NamedTargets targets_in(json::element arguments, std::string_view command);
/// The same of a tool of which only the arguments are known.
inline NamedTargets targets_in(json::element arguments) {
  return targets_in(arguments, command_of(arguments));
}
/// Of arguments that are no JSON.
NamedTargets targets_in(std::string_view text);

}  // namespace xtrace
