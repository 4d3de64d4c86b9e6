#pragma once

#include <vector>

#include "base/result.h"
#include "input/common/loading.h"
#include "input/common/shard.h"
#include "input/plan.h"

namespace xtrace {

/// Reads all of a plan, on several threads: a shard of each piece, in their order. Files that
/// nobody named are left out if they cannot be read to their end, which the plan notes.
Result<std::vector<Shard>> read_plan(Plan& plan, const LoadOptions& loading, Progress& progress);

}  // namespace xtrace
