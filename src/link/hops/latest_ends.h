#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <vector>

namespace xtrace {

/// Intervals in the order of their beginnings, by which those that last until some moment are found
/// without looking at the others: a binary tree of the latest ends.
class LatestEnds {
 public:
  explicit LatestEnds(const std::vector<double>& ends)
      : leaves_(std::bit_ceil(std::max<size_t>(1, ends.size()))),
        latest_(2 * leaves_, -std::numeric_limits<double>::infinity()) {
    std::copy(ends.begin(), ends.end(), latest_.begin() + static_cast<ptrdiff_t>(leaves_));
    for (size_t node = leaves_; node-- > 1;)
      latest_[node] = std::max(latest_[2 * node], latest_[2 * node + 1]);
  }

  /// Calls `each(i)` for the intervals before `behind` that end at `until` or later, the last one
  /// first, until it returns false.
  template <class Each>
  void backwards(size_t behind, double until, Each each) const {
    visit(1, 0, leaves_, behind, until, each);
  }

 private:
  template <class Each>
  bool visit(size_t node, size_t begin, size_t end, size_t behind, double until, Each& each) const {
    if (begin >= behind || latest_[node] < until) return true;
    if (node >= leaves_) return each(begin);
    size_t middle = begin + (end - begin) / 2;
    return visit(2 * node + 1, middle, end, behind, until, each) &&
           visit(2 * node, begin, middle, behind, until, each);
  }

  size_t leaves_;
  std::vector<double> latest_;
};

}  // namespace xtrace
