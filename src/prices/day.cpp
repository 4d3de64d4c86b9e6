#include "prices/day.h"

namespace xtrace {

Time first_moment(std::string_view day) {
  constexpr std::string_view kShape = "0000-00-00";
  if (day.size() != kShape.size()) return kNoTime;
  const std::optional<Moment> moment = parse_time(std::string(day) + "T00:00:00Z");
  return moment ? moment->time : kNoTime;
}

std::string iso_day(Time moment) {
  constexpr size_t kDay = 10;
  return moment == kNoTime ? std::string() : format_time({moment, 0}).substr(0, kDay);
}

}  // namespace xtrace
