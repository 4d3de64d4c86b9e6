#include "base/time.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace xtrace {

namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr int64_t kNanosPerSecond = 1'000'000'000;
constexpr int64_t kLastSecond = INT64_MAX / kNanosPerSecond - 1;

/// Walks over a text from left to right; every step says whether it fitted.
class TimeCursor {
 public:
  explicit TimeCursor(std::string_view text) : rest_(text) {}

  bool digits(size_t count, int& value) {
    if (rest_.size() < count) return false;
    const char* end = rest_.data() + count;
    if (std::any_of(rest_.data(), end, [](char c) { return c < '0' || c > '9'; })) return false;
    std::from_chars(rest_.data(), end, value);
    rest_.remove_prefix(count);
    return true;
  }
  bool one_of(std::string_view wanted) {
    if (rest_.empty() || wanted.find(rest_.front()) == std::string_view::npos) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool word(std::string_view wanted) {
    if (!rest_.starts_with(wanted)) return false;
    rest_.remove_prefix(wanted.size());
    return true;
  }
  std::string_view run_of_digits() {
    size_t length = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
    std::string_view run = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return run;
  }
  char next() const { return rest_.empty() ? '\0' : rest_.front(); }
  bool done() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

/// The first nine digits after the point, as nanoseconds.
int64_t nanos_of(std::string_view decimals) {
  int64_t nanos = 0;
  for (size_t i = 0; i < 9; ++i) nanos = nanos * 10 + (i < decimals.size() ? decimals[i] - '0' : 0);
  return nanos;
}

uint8_t shown(std::string_view decimals) {
  return static_cast<uint8_t>(std::min<size_t>(decimals.size(), 9));
}

bool read_offset(TimeCursor& at, seconds& offset) {
  if (at.done() || at.one_of("Zz")) return true;
  bool west = at.next() == '-';
  int hour = 0, minute = 0;
  if (!at.one_of("+-") || !at.digits(2, hour)) return false;
  at.one_of(":");
  if (!at.done() && !at.digits(2, minute)) return false;
  offset = (west ? -1 : 1) * (hours(hour) + minutes(minute));
  return hour < 24 && minute < 60;
}

}  // namespace

std::optional<Moment> parse_time(std::string_view text) {
  TimeCursor at(text);
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
  if (!at.digits(4, year) || !at.one_of("-") || !at.digits(2, month) || !at.one_of("-") ||
      !at.digits(2, day) || !at.one_of("Tt ") || !at.digits(2, hour) || !at.one_of(":") ||
      !at.digits(2, minute) || !at.one_of(":") || !at.digits(2, second))
    return std::nullopt;
  std::string_view decimals;
  if (at.one_of(".,")) decimals = at.run_of_digits();
  seconds offset{0};
  if (!read_offset(at, offset) || !at.done()) return std::nullopt;

  std::chrono::year_month_day date{std::chrono::year(year),
                                   std::chrono::month(static_cast<unsigned>(month)),
                                   std::chrono::day(static_cast<unsigned>(day))};
  bool tellable = year >= 1678 && year <= 2261;
  if (!date.ok() || !tellable || hour > 23 || minute > 59 || second > 60) return std::nullopt;
  Time time =
      std::chrono::sys_days(date) + hours(hour) + minutes(minute) + seconds(second) - offset;
  return Moment{time + Duration(nanos_of(decimals)), shown(decimals)};
}

std::optional<Moment> parse_epoch(std::string_view number) {
  TimeCursor at(number);
  std::string_view whole = at.run_of_digits();
  std::string_view decimals;
  if (at.one_of(".")) decimals = at.run_of_digits();
  if (whole.empty() || whole.size() > 19 || !at.done()) return std::nullopt;
  uint64_t value = 0;
  std::from_chars(whole.data(), whole.data() + whole.size(), value);

  uint64_t units = 1;  // to the second
  uint8_t digits = 0;
  for (uint64_t limit = 100'000'000'000; value >= limit && units < 1'000'000'000; limit *= 1000) {
    units *= 1000;
    digits = static_cast<uint8_t>(digits + 3);
  }
  if (value / units > static_cast<uint64_t>(kLastSecond)) return std::nullopt;
  int64_t nanos_per_unit = kNanosPerSecond / static_cast<int64_t>(units);
  int64_t nanos = static_cast<int64_t>(value / units) * kNanosPerSecond +
                  static_cast<int64_t>(value % units) * nanos_per_unit +
                  nanos_of(decimals) / static_cast<int64_t>(units);
  return Moment{Time(Duration(nanos)), units == 1 ? shown(decimals) : digits};
}

std::string format_time(Moment moment) {
  std::chrono::sys_days day = std::chrono::floor<days>(moment.time);
  std::chrono::year_month_day date(day);
  std::chrono::hh_mm_ss<Duration> clock(moment.time - day);
  std::string text =
      fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                  clock.hours().count(), clock.minutes().count(), clock.seconds().count());
  if (moment.decimals > 0) {
    std::string nanos = fmt::format("{:09}", clock.subseconds().count());
    text += '.' + nanos.substr(0, moment.decimals);
  }
  return text + 'Z';
}

std::string format_clock(Time time) {
  return format_time({time, 0}).substr(11, 8);
}

std::string format_span(Duration length) {
  if (length < Duration::zero()) {
    Duration positive = length == Duration::min() ? Duration::max() : -length;
    return "-" + format_span(positive);
  }
  length = std::min<Duration>(length, days(36'500));  // rounding must not overflow
  milliseconds ms = std::chrono::round<milliseconds>(length);
  if (length > Duration::zero() && length < microseconds(999'500)) {
    microseconds us = std::chrono::round<microseconds>(length);
    if (us < microseconds(1000)) return fmt::format("{}µs", us.count());
    if (us < microseconds(9950) && us.count() % 1000 != 0)
      return fmt::format("{:.1f}ms", static_cast<double>(us.count()) / 1000);
  }
  if (ms < seconds(1)) return fmt::format("{}ms", ms.count());
  if (ms < milliseconds(59'950))
    return fmt::format("{:.1f}s", static_cast<double>(ms.count()) / 1000);
  seconds s = std::chrono::round<seconds>(length);
  if (s < hours(1)) return fmt::format("{}m{:02}s", s.count() / 60, s.count() % 60);
  if (s < days(1)) return fmt::format("{}h{:02}m", s.count() / 3600, s.count() % 3600 / 60);
  return fmt::format("{}d{:02}h", s.count() / 86400, s.count() % 86400 / 3600);
}

std::optional<Duration> parse_span(std::string_view text) {
  TimeCursor at(text);
  Duration total{0};
  do {
    std::string_view number = at.run_of_digits();
    int64_t count = 0;
    if (number.empty() || number.size() > 9) return std::nullopt;
    std::from_chars(number.data(), number.data() + number.size(), count);
    milliseconds unit = at.word("ms")  ? milliseconds(1)
                        : at.word("s") ? seconds(1)
                        : at.word("m") ? minutes(1)
                        : at.word("h") ? hours(1)
                        : at.word("d") ? days(1)
                                       : milliseconds(0);
    if (unit == milliseconds(0) || count > milliseconds(days(36'500)) / unit) return std::nullopt;
    total += count * unit;
  } while (!at.done());
  return total;
}

}  // namespace xtrace
