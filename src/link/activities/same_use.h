#pragma once

#include <algorithm>

#include "facts/span.h"

namespace xtrace {

/// Spans that record one thing, such as the caller's and the receiver's of one use of a tool,
/// overlap in time. In some logs ids come again (`call_0` in each answer), so that an id does not
/// tell: what begins when the other was over is another use.
class SameUse {
 public:
  SameUse(const Span& span) : start_(span.start), end_(after(span.start, span.duration)) {
    has_end_ = span.duration != kNoDuration;
  }

  /// When it was over nobody can record a span without an end.
  bool overlaps(const Span& next) const {
    return !has_end_ || next.start < end_ || next.start == start_;
  }
  /// Is that one of them? If not, it begins the next use.
  bool is_joined_by(const Span& next) {
    const bool joins = overlaps(next);
    const Time end = after(next.start, next.duration);
    if (!joins) *this = SameUse(next);
    end_ = std::max(end_, end);
    return joins;
  }

 private:
  Time start_, end_;
  bool has_end_ = true;
};

}  // namespace xtrace
