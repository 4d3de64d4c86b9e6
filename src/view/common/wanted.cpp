#include "view/common/wanted.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>

#include "base/dollars.h"
#include "base/nearest.h"
#include "base/text.h"
#include "facts/call.h"
#include "facts/record.h"

namespace xtrace {

namespace {

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
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end();
}

Result<std::vector<std::string>> names_meant(const char* what,
                                             const std::vector<std::string>& wanted,
                                             const std::set<std::string>& names,
                                             const std::set<std::string>& whole,
                                             std::vector<PartOfNames>& told) {
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
      return fail(Exit::no, fmt::format("there is no {} '{}'{}", what, printable(word),
                                        known.empty() ? fmt::format("; the input names no {}", what)
                                                      : did_you_mean(word, known)));
    }
    meant.insert(meant.end(), part.names.begin(), part.names.end());
    told.push_back(std::move(part));
  }
  return meant;
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
