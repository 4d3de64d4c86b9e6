#pragma once

#include <functional>
#include <vector>

#include "link/activities/hop_path.h"
#include "link/graph/graph.h"

namespace xtrace {

/// How long each hop was on the critical path, by hop. What carries a model call, such as the
/// request of a client's library below it, is there on behalf of that, if that is shown.
std::vector<Duration> with_carriers(const Graph& graph, const HopPath& path,
                                    const std::function<bool(HopId)>& shows);

}  // namespace xtrace
