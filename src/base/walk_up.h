#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace xtrace {

// Items of which each has at most one above it: the cause of a hop, the parent of a step. Chains
// may be as long as the input, so nothing here is recursive, and each item is walked past once.
// `above_of(item)` is the index above it; no index, such as that of an invalid Id: there is none.

/// Calls `visit(item)` for each of `count` items after the one above it. In a circle, the item from
/// which it was entered is visited last.
template <class AboveOf, class Visit>
void visit_top_down(size_t count, AboveOf above_of, Visit visit) {
  std::vector<bool> is_met(count);
  std::vector<size_t> way;
  for (size_t i = 0; i < count; ++i) {
    for (size_t at = i; at < count && !is_met[at]; at = above_of(at)) {
      is_met[at] = true;
      way.push_back(at);
    }
    for (; !way.empty(); way.pop_back()) visit(way.back());
  }
}

/// Calls `break_at(item)` for one item of each circle: the first that was met. It may take what is
/// above any item of the circle away.
template <class AboveOf, class Break>
void break_circles(size_t count, AboveOf above_of, Break break_at) {
  enum : uint8_t { unseen, walking, done };
  std::vector<uint8_t> state(count, unseen);
  std::vector<size_t> way;
  for (size_t i = 0; i < count; ++i) {
    size_t at = i;
    for (; at < count && state[at] == unseen; at = above_of(at)) {
      state[at] = walking;
      way.push_back(at);
    }
    if (at < count && state[at] == walking) break_at(at);
    for (; !way.empty(); way.pop_back()) state[way.back()] = done;
  }
}

}  // namespace xtrace
