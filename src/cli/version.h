#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace xtrace {

/// `xtrace --version [--json]`; `words`: those after it.
Result<Command> read_version(const std::vector<std::string>& words);

}  // namespace xtrace
