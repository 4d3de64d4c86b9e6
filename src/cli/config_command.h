#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace xtrace {

/// `xtrace config [--config FILE] [--set KEY=VALUE]... [-f FORMAT]`: what is in force, and why.
Result<Command> read_config(std::vector<std::string> words);

}  // namespace xtrace
