#include "base/now.h"

#include <chrono>
#include <cstdlib>

#include "base/number.h"

namespace xtrace {

Time now() {
  if (const char* epoch = std::getenv("SOURCE_DATE_EPOCH"))
    if (const std::optional<int64_t> seconds = number_of<int64_t>(epoch);
        seconds && *seconds >= 0 && *seconds < int64_t{1} << 33)
      return after(Time(Duration{0}), std::chrono::seconds(*seconds));
  return std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now());
}

}  // namespace xtrace
