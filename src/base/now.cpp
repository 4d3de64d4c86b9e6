#include "base/now.h"

#include <atomic>
#include <chrono>
#include <cstdlib>

#include "base/number.h"

namespace xtrace {

namespace {

std::atomic<uint64_t> times_asked = 0;

}  // namespace

Time now() {
  ++times_asked;
  if (const char* epoch = std::getenv("SOURCE_DATE_EPOCH"))
    if (const std::optional<int64_t> seconds = number_of<int64_t>(epoch);
        seconds && *seconds >= 0 && *seconds < int64_t{1} << 33)
      return after(Time(Duration{0}), std::chrono::seconds(*seconds));
  return std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now());
}

uint64_t times_now_was_asked() {
  return times_asked;
}

}  // namespace xtrace
