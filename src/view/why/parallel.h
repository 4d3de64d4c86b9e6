#pragma once

#include <span>
#include <vector>

#include "base/time.h"

namespace xtrace {

/// Which of several things ran at the same time: groups of those that start less than `window`
/// after the first of them, as indices. `starts` ascend; unknown ones (kNoTime, Time::max()) are in
/// no group. Any two that start less than the window apart share a group, so groups may overlap; a
/// group within another one is left out.
std::vector<std::vector<size_t>> parallel_groups(std::span<const Time> starts, Duration window);

}  // namespace xtrace
