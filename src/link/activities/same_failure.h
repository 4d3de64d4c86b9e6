#pragma once

#include "link/activities/activities.h"

namespace xtrace {

/// One failure passes through many spans: an HTTP request is answered with 429, the attempt that
/// made it fails, and so may the call of the model around it. Marks spans of no role of their own
/// (no agent, tool or model) whose failure another span tells: of what failed in it last, what has
/// a role goes before the outermost of what has none. The error that tells most of it, the status
/// of the request say, becomes the word for all of them that have none that tells a class.
void find_same_failures(const Graph& graph, Activities& activities);

}  // namespace xtrace
