#pragma once

#include <string>

#include "view/common/selection.h"

namespace xtrace {

// What `convert` has to leave out of what is shown, as the format has no place for it: a sentence
// with the number of each kind, empty where all has one. Texts that were not asked for (--level)
// are not among it.

/// `calls`, `hops`: those that are shown; nullptr: none.
std::string left_out_of_spans(const Graph& graph, const Selection* calls, const HopSelection* hops);
/// `hops`: those beside the calls that spans would show; nullptr: none.
std::string left_out_of_trajectories(const Graph& graph, const Selection& calls,
                                     const HopSelection* hops);

}  // namespace xtrace
