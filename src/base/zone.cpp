#include "base/zone.h"

#include <algorithm>
#include <ctime>

namespace xtrace {

namespace {

tm local_time(Time time) {
  const auto second = std::chrono::floor<std::chrono::seconds>(time.time_since_epoch()).count();
  const time_t instant = static_cast<time_t>(second);
  tm parts{};
  localtime_r(&instant, &parts);
  return parts;
}

}  // namespace

Zone Zone::local() {
  tzset();
  Zone zone;
  zone.is_local_ = true;
  return zone;
}

Duration Zone::ahead(Time time) const {
  if (!is_local_ || time == kNoTime) return Duration{0};
  return std::chrono::seconds(local_time(time).tm_gmtoff);
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
  return local_time(time).tm_zone;
}

}  // namespace xtrace
