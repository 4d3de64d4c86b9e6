#include "view/common/wanted.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/dollars.h"
#include "base/nearest.h"
#include "base/text.h"
#include "facts/call.h"
#include "facts/record.h"

namespace xtrace {

namespace {

/// `word` is one of the names, or the beginning of exactly one.
bool matches(std::string_view word, std::string_view name) {
  return word == name || (word.size() >= 4 && name.starts_with(word));
}

Result<std::optional<Time>> read_time(const char* option, const std::string& text, Time newest) {
  if (text.empty()) return std::nullopt;
  if (std::optional<Moment> moment = parse_time(text)) return moment->time;
  if (std::optional<Moment> day = parse_time(text + "T00:00:00Z")) return day->time;
  if (std::optional<Duration> back = parse_span(text)) return after(newest, -*back);
  return fail(Exit::usage,
              fmt::format("{}: '{}' is no time; write 2026-01-10T12:00:00Z, 2026-01-10, or 5m for "
                          "five minutes before the newest event",
                          option, printable(text)));
}

}  // namespace

bool any_of(const std::vector<std::string>& wanted, std::string_view name) {
  return wanted.empty() || std::any_of(wanted.begin(), wanted.end(), [&](const std::string& word) {
           return matches(word, name);
         });
}

Status check_names(const char* what, const std::vector<std::string>& wanted,
                   const std::set<std::string>& names) {
  std::vector<std::string_view> known(names.begin(), names.end());
  for (const std::string& word : wanted)
    if (std::none_of(known.begin(), known.end(),
                     [&](std::string_view name) { return matches(word, name); }))
      return fail(Exit::no, fmt::format("there is no {} '{}'{}", what, printable(word),
                                        known.empty() ? fmt::format("; the input names no {}", what)
                                                      : did_you_mean(word, known)));
  return {};
}

Result<Period> read_period(const std::string& since, const std::string& until, Time newest) {
  Result<std::optional<Time>> from = read_time("--since", since, newest);
  Result<std::optional<Time>> to = read_time("--until", until, newest);
  if (!from) return tl::unexpected(from.error());
  if (!to) return tl::unexpected(to.error());
  return Period{*from, *to};
}

Result<int64_t> read_min_cost(const std::string& text) {
  if (text.empty()) return kNoCount;
  if (std::optional<Dollars> amount = parse_dollars(text)) return amount->billionths;
  return fail(Exit::usage,
              fmt::format("--min-cost: '{}' is no amount of dollars; write 0.05", printable(text)));
}

Status check_statuses(const std::vector<std::string>& wanted) {
  for (const std::string& word : wanted)
    if (std::find(std::begin(kOutcomeWords), std::end(kOutcomeWords), word) ==
        std::end(kOutcomeWords))
      return fail(Exit::usage, fmt::format("--status {}: only steps of dag --view explanation end "
                                           "so; calls and hops: {}",
                                           printable(word), fmt::join(kOutcomeWords, ", ")));
  return {};
}

Status check_edges(const std::vector<std::string>& wanted, std::string_view links,
                   std::span<const std::string_view> known) {
  for (const std::string& word : wanted)
    if (std::find(known.begin(), known.end(), word) == known.end())
      return fail(Exit::usage, fmt::format("--edge {}: {} are of type {}", printable(word), links,
                                           fmt::join(known, ", ")));
  return {};
}

}  // namespace xtrace
