#pragma once

#include <string_view>

namespace xtrace {

/// The exit code of a command that failed, as clients write it into its output; 0: it has none, or
/// the command succeeded.
int exit_code_in(std::string_view output);

}  // namespace xtrace
