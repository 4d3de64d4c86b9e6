#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace xtrace {

using Duration = std::chrono::nanoseconds;
using Time = std::chrono::sys_time<Duration>;

/// Unknown, wherever a moment or a length of time may be missing. Durations measured across a
/// clock that was set back are negative and known, so unknown is the one value no clock gives.
inline constexpr Duration kNoDuration = Duration::min();
inline constexpr Time kNoTime{kNoDuration};

/// A moment as it was written down: `decimals` digits of a second (0 to 9) were given.
struct Moment {
  Time time = kNoTime;
  uint8_t decimals = 3;

  bool operator==(const Moment&) const = default;
};

constexpr double in_microseconds(Duration length) {
  return static_cast<double>(length.count()) / 1000;
}

/// The sum, or the longest there is of that sign: logs may claim centuries.
constexpr Duration plus(Duration a, Duration b) {
  Duration::rep sum = 0;
  if (!__builtin_add_overflow(a.count(), b.count(), &sum)) return Duration(sum);
  return b < Duration::zero() ? Duration::min() : Duration::max();
}

/// The sum of those that are known; unknown if neither is.
constexpr Duration sum_of_known(Duration a, Duration b) {
  return a == kNoDuration ? b : b == kNoDuration ? a : plus(a, b);
}

/// How long from one moment to a later one, if both are known.
constexpr Duration elapsed(Time from, Time to) {
  if (from == kNoTime || to == kNoTime) return kNoDuration;
  Duration::rep length = 0;
  bool overflow = __builtin_sub_overflow(to.time_since_epoch().count(),
                                         from.time_since_epoch().count(), &length);
  if (!overflow) return Duration(length);
  return to < from ? Duration::min() + Duration(1) : Duration::max();
}

/// `from` plus `length`; `from` itself where one of them is unknown.
constexpr Time after(Time from, Duration length) {
  if (from == kNoTime || length == kNoDuration) return from;
  return Time(plus(from.time_since_epoch(), length));
}

/// The earlier one of those that are known; unknown if neither is.
constexpr Time earliest_known(Time a, Time b) {
  return a == kNoTime ? b : b == kNoTime || a < b ? a : b;
}

/// The digits of a second that say all of it: as many as were given, else 3, 6 or 9.
constexpr uint8_t decimals_of(Time time, uint8_t given) {
  if (time == kNoTime) return given;
  Duration::rep unit = 1'000'000'000;
  for (uint8_t i = 0; i < given; ++i) unit /= 10;
  if (time.time_since_epoch().count() % unit == 0) return given;
  for (uint8_t digits = 3; digits < 9; digits = static_cast<uint8_t>(digits + 3)) {
    unit = digits == 3 ? 1'000'000 : 1'000;
    if (digits > given && time.time_since_epoch().count() % unit == 0) return digits;
  }
  return 9;
}

/// Reads RFC 3339 and its relatives: `T` or a blank between, any number of decimals, `Z`, an offset
/// with or without a colon, or none (taken as UTC). Years 1678 to 2261, the range of nanoseconds. A
/// leap second counts as the second after it.
std::optional<Moment> parse_time(std::string_view text);

/// Reads a number since 1970 as JSON writes it (`1748554704.293292`), in seconds, milli-, micro- or
/// nanoseconds by its size: 1e11 seconds are the year 5138, so larger numbers are finer units.
std::optional<Moment> parse_epoch(std::string_view number);

/// RFC 3339 in UTC with the moment's own number of decimals.
std::string format_time(Moment moment);

/// `21:07:08` of the same moment, for a page that names the day elsewhere.
std::string format_clock(Time time);

/// A length of time as people say it: `850ms`, `12.6s`, `3m05s`, `2h07m`, `3d04h`.
std::string format_span(Duration length);

/// Reads `100ms`, `90s`, `5m`, `2h`, `1d` or `1h30m`.
std::optional<Duration> parse_span(std::string_view text);

}  // namespace xtrace
