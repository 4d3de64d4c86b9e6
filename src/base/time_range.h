#pragma once

#include "base/time.h"

namespace xtrace {

/// A stretch of time.
struct TimeRange {
  Time start = kNoTime, end = kNoTime;
};

}  // namespace xtrace
