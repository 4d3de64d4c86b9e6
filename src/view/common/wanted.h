#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace xtrace {

// What users say of what they want to see, read.

/// Is it among those wanted, or does one of them, of four letters or more, begin it? Who wants none
/// in particular wants all.
bool any_of(const std::vector<std::string>& wanted, std::string_view name);
/// Exit::no where one of those wanted fits none of the names; `what` they are the names of.
Status check_names(const char* what, const std::vector<std::string>& wanted,
                   const std::set<std::string>& names);

/// Calls and hops end in fewer ways than steps of a story: Exit::usage names those they have.
Status check_statuses(const std::vector<std::string>& wanted);
/// `links`: what has edges, in words; `known`: their types.
Status check_edges(const std::vector<std::string>& wanted, std::string_view links,
                   std::span<const std::string_view> known);

/// From when to when; open to a side of which nothing is said.
struct Period {
  std::optional<Time> since, until;

  bool holds(Time start) const {
    return (!since || start >= *since) && (!until || (start != kNoTime && start <= *until));
  }
};

/// Of `--since` and `--until`: absolute times, or how long before the newest event. Exit::usage for
/// anything else.
Result<Period> read_period(const std::string& since, const std::string& until, Time newest);
/// Of `--min-cost`, in billionths of a dollar; -1: nothing was said.
Result<int64_t> read_min_cost(const std::string& text);

}  // namespace xtrace
