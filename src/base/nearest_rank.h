#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace xtrace {

/// The smallest of some values that is as large as at least this share of them (nearest rank);
/// `none` if there are none. They must be sorted.
template <class Value>
Value nearest_rank(const std::vector<Value>& sorted, double share, Value none) {
  if (sorted.empty()) return none;
  double rank = std::ceil(share * static_cast<double>(sorted.size()));
  return sorted[std::min(sorted.size(), std::max<size_t>(static_cast<size_t>(rank), 1)) - 1];
}

}  // namespace xtrace
