#include "view/why/parallel.h"

#include <algorithm>
#include <numeric>

namespace xtrace {

ParallelGroups parallel_groups(std::span<const Time> starts, Duration window) {
  constexpr size_t kRead = 100'000;  // members of all of them
  size_t room = std::max(starts.size(), kRead);
  auto is_known = [&](size_t i) { return starts[i] != kNoTime && starts[i] != Time::max(); };
  ParallelGroups found;
  size_t behind_last = 0;
  for (size_t first = 0, end = 0; first < starts.size(); ++first) {
    if (!is_known(first)) continue;
    end = std::max(end, first + 1);
    while (end < starts.size() && is_known(end) && elapsed(starts[first], starts[end]) < window)
      ++end;
    // Whoever ends no later than the group before is a part of it.
    if (end - first < 2 || end <= behind_last) continue;
    behind_last = end;
    if (found.omitted > 0 || end - first > room) {
      ++found.omitted;
      continue;
    }
    room -= end - first;
    std::vector<size_t>& group = found.groups.emplace_back(end - first);
    std::iota(group.begin(), group.end(), first);
  }
  return found;
}

}  // namespace xtrace
