#pragma once

#include <string>

#include "settings/setting.h"

namespace xtrace {

/// A YAML text as settings. What is broken is named as `file:line`, with Exit::usage.
Result<Setting> read_yaml(const std::string& path, const std::string& text);

}  // namespace xtrace
