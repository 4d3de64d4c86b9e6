#pragma once

#include <algorithm>
#include <string_view>

#include "facts/asks_leave.h"
#include "facts/hook_runs.h"
#include "facts/measurement.h"
#include "facts/turn_duration.h"

namespace xtrace {

/// The keys of measurements that clients record about their sessions, and that are no metric's.
inline constexpr std::string_view kClientMeasurements[] = {kTurnDuration, kAsksLeave, kHookRuns,
                                                           kHookBlocks};

inline bool is_client_measurement(const Measurement& one) {
  return std::ranges::find(kClientMeasurements, one.key) != std::end(kClientMeasurements);
}

}  // namespace xtrace
