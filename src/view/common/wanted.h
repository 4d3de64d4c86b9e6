#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "base/zone.h"
#include "facts/record.h"

namespace xtrace {

// What users say of what they want to see, read.

/// Is it among those wanted? Who wants none in particular wants all.
bool any_of(const std::vector<std::string>& wanted, std::string_view name);
/// Does something with this outcome have one of the statuses wanted?
bool any_of(const std::vector<std::string>& wanted, Outcome outcome);

/// A part of names that somebody wrote in a filter, and all names it fits.
struct PartOfNames {
  const char* filter;  ///< `agent`
  std::string part;
  std::vector<std::string> names;
};

/// The names that are meant: each of those wanted if it is a name, else all of which it is a part,
/// which are reported. `whole`: names that are meant only if written in full. Exit::no where one
/// fits none; `what` they are the names of.
Result<std::vector<std::string>> names_meant(const char* what,
                                             const std::vector<std::string>& wanted,
                                             const std::set<std::string>& names,
                                             const std::set<std::string>& whole,
                                             std::vector<PartOfNames>& part_names);

/// Of `--status`: calls that asked for a tool that failed, however they ended themselves.
inline constexpr std::string_view kToolErrorStatus = "tool_error";
/// Calls and hops end in fewer ways than steps of a story: Exit::usage names those of `more`, too.
Status check_statuses(const std::vector<std::string>& wanted,
                      std::span<const std::string_view> more = {});
/// Of `--edge` and `--no-edge`, which must leave something. `links`: what has edges, in words;
/// `known`: their types.
Status check_edges(const std::vector<std::string>& wanted, const std::vector<std::string>& unwanted,
                   std::string_view links, std::span<const std::string_view> known);

/// From when to when; open to a side of which nothing is said.
struct Period {
  std::optional<Time> since, until;
  /// The same for times that were written incompletely: how each was completed.
  std::optional<Time> meant_since{}, meant_until{};

  bool holds(Time start) const {
    return (!since || start >= *since) && (!until || (start != kNoTime && start <= *until));
  }
};

/// Reads `--since` and `--until`: a time; `21:37`, the latest one that is not after the newest
/// event; `5m` before that event; a day, which `--until` includes whole; or `7d` before now().
/// Days, and times that name no zone, are those of `zone`. Exit::usage for anything else, and for
/// a period that ends before it begins.
Result<Period> read_period(const std::string& since, const std::string& until, Time newest,
                           const Zone& zone = {});
/// Of `--min-cost`, in billionths of a dollar; -1: nothing was said.
Result<int64_t> read_min_cost(const std::string& text);

}  // namespace xtrace
