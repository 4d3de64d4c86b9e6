#include "view/why/parallel.h"

#include <numeric>

namespace xtrace {

std::vector<std::vector<size_t>> parallel_groups(std::span<const Time> starts, Duration window) {
  auto is_known = [&](size_t i) { return starts[i] != kNoTime && starts[i] != Time::max(); };
  std::vector<std::vector<size_t>> groups;
  size_t behind_last = 0;
  for (size_t first = 0, end = 0; first < starts.size(); ++first) {
    if (!is_known(first)) continue;
    end = std::max(end, first + 1);
    while (end < starts.size() && is_known(end) && elapsed(starts[first], starts[end]) < window)
      ++end;
    // Whoever ends no later than the group before is a part of it.
    if (end - first < 2 || end <= behind_last) continue;
    behind_last = end;
    groups.emplace_back(end - first);
    std::iota(groups.back().begin(), groups.back().end(), first);
  }
  return groups;
}

}  // namespace xtrace
