#include "view/common/wanted.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>

#include "base/dollars.h"
#include "base/lower.h"
#include "base/nearest.h"
#include "base/now.h"
#include "base/one_of.h"
#include "base/text.h"
#include "facts/call.h"
#include "view/common/hidden_names.h"

namespace xtrace {

namespace {

constexpr Duration kDay = std::chrono::hours(24);

/// `21:37` or `21:37:05`: the latest one that is not after `newest`.
std::optional<Time> time_of_day(const std::string& text, Time newest, const Zone& zone) {
  if (newest == kNoTime || text.find(':') == std::string::npos) return {};
  for (std::string_view seconds : {"", ":00"})
    if (std::optional<Moment> moment =
            parse_time(fmt::format("{}T{}{}Z", zone.day(newest), text, seconds)))
      for (Time shown = moment->time;; shown = after(shown, -kDay))
        if (const Time at = zone.when(shown); at <= newest) return at;
  return {};
}

/// `2026-01-10 12:00` or `2026-01-10T12:00:05`, as answers show them.
std::optional<Time> read_local_time(const std::string& text, const Zone& zone) {
  for (std::string_view rest : {"Z", ":00Z"})
    if (std::optional<Moment> moment = parse_time(text + std::string(rest)))
      return zone.when(moment->time);
  return {};
}

/// The day that `text` names, as a clock of the zone shows its midnight: `2026-01-10` or, as basic
/// ISO 8601 and ccusage have it, `20260110`; `today`,
/// `yesterday`, or `friday` for the latest one that is not after `today`.
std::optional<Time> read_day(std::string_view text, Time today) {
  constexpr std::string_view kWeekdays[] = {"sunday",   "monday", "tuesday", "wednesday",
                                            "thursday", "friday", "saturday"};
  std::string date(text);
  if (text.size() == 8 && text.find_first_not_of("0123456789") == text.npos)
    date.insert(6, "-").insert(4, "-");
  if (const std::optional<Moment> moment = parse_time(date + "T00:00:00Z")) return moment->time;
  const std::string name = lower(text);
  if (name == "today") return today;
  if (name == "yesterday") return after(today, -kDay);
  for (unsigned weekday = 0; weekday < std::size(kWeekdays); ++weekday) {
    if (name != kWeekdays[weekday] && name != kWeekdays[weekday].substr(0, 3)) continue;
    const std::chrono::weekday of_today(std::chrono::floor<std::chrono::days>(today));
    return after(today, -(of_today - std::chrono::weekday(weekday)));
  }
  return {};
}

/// Which end of a period a time is: a day begins there or ends there.
enum class End { since, until };

/// Returns the time that `text` means at that end of a period; nothing for an empty text. Sets
/// `meant` where the text does not show that time.
Result<std::optional<Time>> read_time(End end, const std::string& text, Time newest,
                                      const Zone& zone, std::optional<Time>& meant) {
  if (text.empty()) return std::nullopt;
  // No word for a day begins with a digit; an answer that depends on today is not kept.
  const bool is_number = text.front() >= '0' && text.front() <= '9';
  const Time today = is_number ? Time() : *read_day(zone.day(now()), {});
  if (const std::optional<Time> day = read_day(text, today)) {
    const Time time =
        end == End::since ? zone.when(*day) : after(zone.when(after(*day, kDay)), Duration{-1});
    const bool is_shown = text == zone.day(time) && zone.ahead(time) == Duration{0};
    if (!is_shown) meant = time;
    return time;
  }
  if (std::optional<Time> time = read_local_time(text, zone)) {
    if (zone.ahead(*time) != Duration{0}) meant = time;
    return time;
  }
  if (std::optional<Moment> moment = parse_time(text)) return moment->time;
  meant = time_of_day(text, newest, zone);
  if (std::optional<Duration> back = parse_span(text); !meant && back)
    meant = after(text.ends_with('d') ? now() : newest, -*back);
  if (meant) return meant;
  return fail(Exit::usage,
              fmt::format("--{}: '{}' is not a time; use 2026-01-10T12:00:00Z, 21:37, a day such "
                          "as 2026-01-10, yesterday or friday, 5m for five minutes before the "
                          "newest event, or 7d for seven days before now",
                          end == End::since ? "since" : "until", printable(text)));
}

/// Names that are near; where none is, some of those that there are.
std::string what_there_is(const char* what, const std::string& word,
                          const std::vector<std::string_view>& known) {
  if (known.empty()) return fmt::format("; the input contains no {}", what);
  for (std::string_view name : known)
    if (is_hidden(name) && may_be_same(name, word))
      return fmt::format(
          "; the input hides some names, as parts do; '{}' may match; read the original log",
          printable(name));
  if (std::string near = did_you_mean(word, known); !near.empty()) return near;
  // If there are several sessions, a prefix with the session distinguishes names.
  std::vector<std::string_view> names = known;
  std::erase_if(names, [&](std::string_view name) {
    const size_t slash = name.find('/');
    return slash != name.npos &&
           std::binary_search(known.begin(), known.end(), name.substr(slash + 1));
  });
  return fmt::format("; in the input: {}", name_some(names, 5, printable));
}

}  // namespace

bool any_of(const std::vector<std::string>& wanted, std::string_view name) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end();
}

bool any_of(const std::vector<std::string>& wanted, Outcome outcome) {
  return wanted.empty() || std::ranges::any_of(wanted, [&](const std::string& status) {
           return has_status(outcome, status);
         });
}

Result<std::vector<std::string>> names_meant(const char* what,
                                             const std::vector<std::string>& wanted,
                                             const std::set<std::string>& names,
                                             const std::set<std::string>& whole,
                                             std::vector<PartOfNames>& part_names) {
  std::vector<std::string> meant;
  for (const std::string& word : wanted) {
    if (names.contains(word) || whole.contains(word)) {
      meant.push_back(word);
      continue;
    }
    PartOfNames part{what, word, {}};
    for (const std::string& name : names)
      if (!word.empty() && name.find(word) != std::string::npos) part.names.push_back(name);
    if (part.names.empty()) {
      std::vector<std::string_view> known;
      std::set_union(names.begin(), names.end(), whole.begin(), whole.end(),
                     std::back_inserter(known), std::less<std::string_view>());
      std::erase(known, "");  // of those without a name
      return fail(Exit::no, fmt::format("there is no {} '{}'{}", what, printable(word),
                                        what_there_is(what, word, known)));
    }
    meant.insert(meant.end(), part.names.begin(), part.names.end());
    part_names.push_back(std::move(part));
  }
  return meant;
}

Result<Period> read_period(const std::string& since, const std::string& until, Time newest,
                           const Zone& zone) {
  Period period;
  Result<std::optional<Time>> from = read_time(End::since, since, newest, zone, period.meant_since);
  Result<std::optional<Time>> to = read_time(End::until, until, newest, zone, period.meant_until);
  if (!from) return tl::unexpected(from.error());
  if (!to) return tl::unexpected(to.error());
  period.since = *from;
  period.until = *to;
  if (period.since && period.until && *period.since > *period.until)
    return fail(Exit::usage,
                fmt::format("--since {} is after --until {}", format_time({*period.since, 0}),
                            format_time({*period.until, 0})));
  return period;
}

Result<int64_t> read_min_cost(const std::string& text) {
  if (text.empty()) return kNoCount;
  if (std::optional<Dollars> amount = parse_dollars(text)) return amount->billionths;
  return fail(Exit::usage, fmt::format("--min-cost: '{}' is not an amount in dollars, such as 0.05",
                                       printable(text)));
}

Status check_statuses(const std::vector<std::string>& wanted,
                      std::span<const std::string_view> more) {
  std::vector<std::string_view> known(std::begin(kOutcomeWords), std::end(kOutcomeWords));
  known.insert(known.end(), more.begin(), more.end());
  for (const std::string& word : wanted)
    if (!is_one_of(word, known))
      return fail(Exit::usage, fmt::format("--status {}: not a status here; use one of: {}",
                                           printable(word), fmt::join(known, ", ")));
  return {};
}

Status check_edges(const std::vector<std::string>& wanted, const std::vector<std::string>& unwanted,
                   std::string_view links, std::span<const std::string_view> known) {
  for (const auto& [option, words] :
       {std::pair("--edge", &wanted), std::pair("--no-edge", &unwanted)})
    for (const std::string& word : *words)
      if (!is_one_of(word, known))
        return fail(Exit::usage,
                    fmt::format("{} '{}': no such type here; {} have the types {}", option,
                                printable(word), links, fmt::join(known, ", ")));
  const bool is_none_left =
      !wanted.empty() && std::ranges::all_of(wanted, [&](const std::string& word) {
        return is_one_of(word, unwanted);
      });
  if (!is_none_left) return {};
  return fail(Exit::usage,
              fmt::format("--edge {0} and --no-edge {0}: no links remain", fmt::join(wanted, ",")));
}

}  // namespace xtrace
