#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace xtrace {

/// Whole lines of a file that stand one behind another.
struct LineRange {
  uint64_t begin = 0, end = 0;  ///< in bytes
  uint32_t line = 0;            ///< the number of the first, from 1
};

inline bool is_same_range(const LineRange& a, const LineRange& b) {
  return a.begin == b.begin && a.end == b.end;
}

/// By place, each once.
inline void sort_ranges(std::vector<LineRange>& ranges) {
  std::sort(ranges.begin(), ranges.end(), [](const LineRange& a, const LineRange& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  ranges.erase(std::unique(ranges.begin(), ranges.end(), is_same_range), ranges.end());
}

}  // namespace xtrace
