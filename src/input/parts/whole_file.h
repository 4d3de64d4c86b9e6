#pragma once

#include <string>

#include "base/result.h"

namespace xtrace {

/// All bytes of a file, which has to fit into memory.
Result<std::string> whole_file(const std::string& path);

}  // namespace xtrace
