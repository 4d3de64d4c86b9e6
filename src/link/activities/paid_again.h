#pragma once

#include <vector>

#include "link/activities/cache_rebuild.h"
#include "link/activities/carried.h"
#include "link/activities/critical_path.h"

namespace xtrace {

/// What was paid for more than once, as far as it is looked at.
struct PaidAgain {
  std::vector<CarriedResult> carried;  ///< results of tools that shown calls read first
  std::vector<CacheRebuild> rebuilds;  ///< by shown calls
};
PaidAgain find_paid_again(const Graph& graph, const Payloads* payloads, CallSizeMeter& said,
                          const ShownCalls& shown);

}  // namespace xtrace
