#include "input/calls/retry_after.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/number.h"

namespace xtrace {

namespace {

constexpr double kLongest = 366.0 * 86400;  // seconds; whoever asks for more does not mean it

std::string small(std::string_view text) {
  std::string folded(text);
  for (char& c : folded)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  return folded;
}

/// A header as text, also where it was logged as a number or as a list of one.
std::string value_of(json::element value) {
  json::items(value, [&](json::element item) { value = item; });
  double number = 0;
  if (!json::is_string(value) && !value.get_double().get(number)) return fmt::format("{}", number);
  return std::string(json::text(value));
}

Duration seconds(double length) {
  if (!(length >= 0 && length < kLongest)) return kNoDuration;
  return Duration(std::llround(length * 1e9));
}

/// A number and nothing behind it.
std::optional<double> number(std::string_view text) {
  double value = 0;
  auto [end, error] = read_double(text, value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// `6m0s`, `120ms`, `7.66s`
Duration read_span(std::string_view text) {
  struct Unit {
    std::string_view word;
    double seconds;
  };
  constexpr Unit kUnits[] = {{"ms", 0.001}, {"h", 3600}, {"m", 60}, {"s", 1}, {"d", 86400}};
  double sum = 0;
  if (text.empty()) return kNoDuration;
  while (!text.empty()) {
    double value = 0;
    auto [end, error] = read_double(text, value);
    if (error != std::errc()) return kNoDuration;
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    const Unit* unit = std::find_if(std::begin(kUnits), std::end(kUnits),
                                    [&](const Unit& one) { return text.starts_with(one.word); });
    if (unit == std::end(kUnits)) return kNoDuration;
    text.remove_prefix(unit->word.size());
    sum += value * unit->seconds;
  }
  return seconds(sum);
}

/// `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7; the two old forms are not read).
Time read_http_date(std::string_view text) {
  constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  if (text.size() != 29 || text.substr(3, 2) != ", " || !text.ends_with(" GMT")) return kNoTime;
  size_t month = kMonths.find(text.substr(8, 3));
  if (month == std::string_view::npos || month % 3 != 0) return kNoTime;
  std::optional<Moment> moment = parse_time(fmt::format(
      "{}-{:02}-{}T{}Z", text.substr(12, 4), month / 3 + 1, text.substr(5, 2), text.substr(17, 8)));
  return moment ? moment->time : kNoTime;
}

/// One that is over asks for no wait.
Duration until(Time moment, Time now) {
  Duration length = elapsed(now, moment);
  return length == kNoDuration ? length : std::max(length, Duration{0});
}

class Headers {
 public:
  explicit Headers(json::element headers) {
    json::fields(headers, [&](std::string_view key, json::element value) {
      all_.emplace_back(small(key), value_of(value));
    });
  }

  std::string_view at(std::string_view key) const {
    for (const auto& [name, value] : all_)
      if (name == key) return value;
    return {};
  }

  /// Of the limits that are used up, the one that lasts longest.
  Duration longest_reset(Time now) const {
    Duration longest = kNoDuration;
    for (const auto& [name, value] : all_) {
      constexpr std::string_view kAnthropic = "anthropic-ratelimit-", kReset = "-reset";
      constexpr std::string_view kOther = "x-ratelimit-reset-";
      Duration length = kNoDuration;
      std::string remaining;
      if (name.starts_with(kAnthropic) && name.ends_with(kReset)) {
        remaining = name.substr(0, name.size() - kReset.size()) + "-remaining";
        if (std::optional<Moment> moment = parse_time(value)) length = until(moment->time, now);
      } else if (name.starts_with(kOther)) {
        remaining = "x-ratelimit-remaining-" + name.substr(kOther.size());
        length = read_span(value);
      }
      if (!remaining.empty() && at(remaining) == "0") longest = std::max(longest, length);
    }
    return longest;  // kNoDuration is the smallest there is
  }

 private:
  std::vector<std::pair<std::string, std::string>> all_;
};

}  // namespace

Duration asked_to_wait(json::element headers, Time answered) {
  const Headers all(headers);
  Time now = read_http_date(all.at("date"));
  if (now == kNoTime) now = answered;
  if (std::optional<double> ms = number(all.at("retry-after-ms"))) return seconds(*ms / 1000);
  std::string_view after = all.at("retry-after");
  if (std::optional<double> length = number(after)) return seconds(*length);
  if (Time moment = read_http_date(after); moment != kNoTime) return until(moment, now);
  return after.empty() ? all.longest_reset(now) : kNoDuration;
}

}  // namespace xtrace
