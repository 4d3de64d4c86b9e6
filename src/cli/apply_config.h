#pragma once

#include <string>
#include <vector>

#include "cli/option_list.h"
#include "settings/config.h"

namespace xtrace {

/// Sets what was configured in each option that the command has and that is not among `given`.
/// Patterns are put before those that were given: what is to be hidden adds up.
void apply_config(const Config& config, const OptionList& options,
                  const std::vector<std::string>& given);

}  // namespace xtrace
