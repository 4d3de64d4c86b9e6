#pragma once

#include <algorithm>
#include <string_view>

#include "facts/asks_leave.h"
#include "facts/measurement.h"
#include "facts/turn_duration.h"

namespace xtrace {

/// The keys of measurements that clients tell of their sessions, and that are no metric's.
inline constexpr std::string_view kClientTold[] = {kTurnDuration, kAsksLeave};

inline bool is_told_by_client(const Measurement& told) {
  return std::ranges::find(kClientTold, told.key) != std::end(kClientTold);
}

}  // namespace xtrace
