#pragma once

#include <cstddef>
#include <vector>

namespace xtrace {

/// By how much a clock may be off so that one call lies within another, in microseconds.
struct OffsetRange {
  double from, to;
};

/// By how much a clock seems to be off, and how many calls then lie within another one.
struct ClockOffset {
  double offset = 0;
  size_t calls = 0;
};

/// The offset at which the most calls lie within another one, of several the nearest to none; each
/// call has the ranges in which it does. Clocks that are off stay so for long, so that many calls
/// agree on what each alone leaves open.
ClockOffset best_offset(const std::vector<std::vector<OffsetRange>>& by_call);

}  // namespace xtrace
