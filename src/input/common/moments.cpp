#include "input/common/moments.h"

#include <cmath>

#include "base/number.h"

namespace xtrace {

std::optional<Moment> read_moment(json::element value) {
  if (json::is_string(value)) {
    std::optional<Moment> moment = parse_time(json::text(value));
    return moment ? moment : parse_epoch(json::text(value));
  }
  int64_t whole = 0;
  if (!value.get_int64().get(whole)) return parse_epoch(std::to_string(whole));
  double seconds = 0;
  if (value.get_double().get(seconds) || !(seconds >= 0 && seconds < 1e18)) return std::nullopt;
  // As many digits as distinguish this double from its neighbours are those that were written.
  std::optional<Moment> moment = parse_epoch(fmt::format("{:f}", seconds));
  if (moment && seconds < 1e11) moment->decimals = 6;
  return moment;
}

Time instant_of(json::element value) {
  const std::optional<Moment> moment = read_moment(value);
  return moment ? moment->time : kNoTime;
}

Duration read_milliseconds(json::element value) {
  double ms = 0;
  constexpr double kCentury = 100.0 * 366 * 86400 * 1000;
  if (json::is_string(value))
    ms = number_of<double>(json::text(value)).value_or(-1);
  else if (value.get_double().get(ms))
    return kNoDuration;
  if (!(ms >= 0 && ms < kCentury)) return kNoDuration;
  return Duration(std::llround(ms * 1e6));
}

}  // namespace xtrace
