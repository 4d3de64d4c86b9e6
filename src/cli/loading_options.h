#pragma once

#include <string>

#include "base/result.h"
#include "input/common/loading.h"

namespace xtrace {

/// What `--from` and `--jobs` were given, of commands that read logs and answer no question; empty:
/// whatever a log looks like, and as many threads as there are cores.
Status read_loading(const std::string& format, const std::string& jobs, LoadOptions& loading);

}  // namespace xtrace
