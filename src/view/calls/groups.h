#pragma once

#include "view/calls/call_fields.h"

namespace xtrace {

/// Sums over some calls.
struct Sum {
  int64_t records = 0;  ///< with subagents that only a report tells of: they are no call
  int64_t calls = 0, errors = 0;
  int64_t known = 0;  ///< of which the outcome is on record
  Usage usage;
  Time start = kNoTime, end = kNoTime;
  bool ended = false;  ///< of one at least it is known when it ended
  void add(const Call& call, const Usage& own);
  /// From the first start to the last that is known of; unknown if that is one moment.
  Duration took() const { return ended || start != end ? elapsed(start, end) : kNoDuration; }
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
