#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "facts/trace.h"
#include "input/common/loading.h"

namespace xtrace {

/// Reads everything the paths name. Damage becomes complaints in the Trace; an Error means that
/// nothing usable could be read.
Result<Trace> load(const std::vector<std::string>& paths, const LoadOptions& loading,
                   Progress& progress);

}  // namespace xtrace
