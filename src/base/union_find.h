#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace xtrace {

/// Which of n things belong together, given pair by pair.
class UnionFind {
 public:
  explicit UnionFind(size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), uint32_t{0});
  }
  /// The smallest of those that belong together with `at`.
  uint32_t find(uint32_t at) {
    while (parent_[at] != at) at = parent_[at] = parent_[parent_[at]];
    return at;
  }
  void join(uint32_t a, uint32_t b) {
    a = find(a);
    b = find(b);
    parent_[a < b ? b : a] = a < b ? a : b;
  }

 private:
  std::vector<uint32_t> parent_;
};

}  // namespace xtrace
