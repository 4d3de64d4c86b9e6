#pragma once

#include "base/time_range.h"
#include "view/calls/call_fields.h"
#include "view/calls/call_sum.h"

namespace xtrace {

/// Sums over some calls, and when they were made.
struct Sum : CallSum {
  int64_t records = 0;  ///< with subagents that only a report mentions: they are no calls
  TimeRange time;
  bool ended = false;  ///< it is known when at least one of them ended
  using CallSum::add;
  void add(const Call& call, const Usage& own);
  /// From the first start to the last known moment; unknown if that is one moment.
  Duration took() const {
    return ended || time.start != time.end ? elapsed(time.start, time.end) : kNoDuration;
  }
};

Sum sum_of(const CallScene& scene, std::span<const CallId> calls);

/// The sessions of which anything is shown.
Table session_table(const CallScene& scene);
/// The same with the agent product that wrote each.
struct ListedSessions {
  Table table;
  std::vector<const Session*> sessions;  ///< in the order of the rows
  Record totals;                         ///< what all of them come to
};
ListedSessions collect_sessions(const CallScene& scene);
std::span<const Column> listed_session_columns();
/// The types of agents: how often they were started, how long they lived, what they used, how often
/// that failed.
Table agent_table(const CallScene& scene);
std::span<const Column> session_columns();
std::span<const Column> session_total_columns();
std::span<const Column> agent_columns();

}  // namespace xtrace
