#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "view/common/filter.h"
#include "view/hops/hop_scene.h"

namespace xtrace {

/// Filters choose hops by which an actor was reached; what led to a call or a turn is told whole.
/// Of them those that choose runs and sessions tell which turn of that number is meant.
bool chooses_runs_alone(const Filter& filter);

/// Of the calls those of runs that such filters choose.
std::vector<CallId> in_chosen_runs(const Filter& filter, const HopScene& scene,
                                   std::vector<CallId> calls);

/// That the filter has no effect on what `node` names.
tl::unexpected<Error> takes_no_filter(const Filter& filter, const std::string& node);

}  // namespace xtrace
