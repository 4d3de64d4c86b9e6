#include "base/zone.h"

#include <algorithm>

#include "base/system.h"

namespace xtrace {

namespace {

LocalZone local_zone(Time time) {
  return local_zone_at(std::chrono::floor<std::chrono::seconds>(time.time_since_epoch()));
}

}  // namespace

Zone Zone::local() {
  load_local_zone();
  Zone zone;
  zone.is_local_ = true;
  return zone;
}

Duration Zone::ahead(Time time) const {
  if (!is_local_ || time == kNoTime) return Duration{0};
  return local_zone(time).ahead;
}

Time Zone::when(Time shown) const {
  constexpr Duration kDay = std::chrono::hours(24);
  const Time earlier = after(shown, -ahead(after(shown, -kDay)));
  const Time later = after(shown, -ahead(after(shown, kDay)));
  for (Time time : {std::min(earlier, later), std::max(earlier, later)})
    if (after(time, ahead(time)) == shown) return time;
  return earlier;
}

std::string Zone::show(Moment moment) const {
  std::string text = format_time({after(moment.time, ahead(moment.time)), moment.decimals});
  text.pop_back();
  return text;
}

std::string Zone::name(Time time) const {
  if (!is_local_ || time == kNoTime) return "UTC";
  return local_zone(time).name;
}

}  // namespace xtrace
