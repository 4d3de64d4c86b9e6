#pragma once

#include <span>
#include <vector>

#include "base/time.h"

namespace xtrace {

/// Which of several things ran at the same time.
struct ParallelGroups {
  std::vector<std::vector<size_t>> groups;  ///< of indices
  size_t omitted = 0;                       ///< further groups

  bool operator==(const ParallelGroups&) const = default;
};

/// Groups of those that start less than `window` after the first of them. `starts` ascend; unknown
/// ones (kNoTime, Time::max()) are in no group. Any two that start less than the window apart share
/// a group, so groups may overlap; a group within another one is left out.
///
/// Of thousands that start one shortly after another, each begins a group of its own with half of
/// the others in it. The first groups are listed, until they have more members in all than there
/// are starts and than 100,000; the others are counted.
ParallelGroups parallel_groups(std::span<const Time> starts, Duration window);

}  // namespace xtrace
