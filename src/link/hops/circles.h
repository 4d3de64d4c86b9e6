#pragma once

#include <cstdint>
#include <vector>

#include "link/hops/hops.h"

namespace xtrace {

/// Calls `break_at(hop)` for one hop of each circle in which causes run; it may take the cause off
/// any hop of the circle.
template <class Break>
void break_circles(const Hops& hops, Break break_at) {
  enum : uint8_t { unseen, walking, done };
  std::vector<uint8_t> state(hops.all.size(), unseen);
  std::vector<HopId> way;
  for (size_t i = 0; i < hops.all.size(); ++i) {
    way.clear();
    HopId at(i);
    for (; at && state[at.index] == unseen; at = hops[at].cause) {
      state[at.index] = walking;
      way.push_back(at);
    }
    if (at && state[at.index] == walking) break_at(at);
    for (HopId walked : way) state[walked.index] = done;
  }
}

}  // namespace xtrace
