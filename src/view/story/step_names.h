#pragma once

#include <string_view>
#include <vector>

#include "link/graph/graph.h"

namespace xtrace {

/// The names that a step's own record gives it beside its id: its operation or event, and its test
/// suite, rule, file and the like.
std::vector<std::string_view> names_in_record(const Graph& graph, const StoryNode& node);

}  // namespace xtrace
