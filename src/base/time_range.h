#pragma once

#include <algorithm>

#include "base/time.h"

namespace xtrace {

/// A stretch of time.
struct TimeRange {
  Time start = kNoTime, end = kNoTime;

  /// Widens it to hold what began at `from`, as long as it is known to have taken.
  void include(Time from, Duration took) {
    if (from == kNoTime) return;
    start = earliest_known(start, from);
    end = std::max(end, after(from, took));
  }
};

}  // namespace xtrace
