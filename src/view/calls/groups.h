#pragma once

#include <map>
#include <set>
#include <utility>

#include "base/time_range.h"
#include "link/activities/call_turns.h"
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

/// A session, and what of it is shown.
struct SessionRow {
  const CallScene& scene;
  const Session& session;
  Sum sum{};
  Usage in_all{};
  std::set<uint32_t> conversations{}, agents{};
  std::set<CallTurn> turns{};
  uint8_t decimals = 0;  ///< of its moments
  Cell number{};

  /// Counts the agent instances that another agent started.
  int64_t subagents() const;
};
/// Sums over all sessions that are shown.
struct SessionTotals {
  int64_t sessions = 0, turns = 0;
  Sum sum{};
};

/// The sessions of which anything is shown.
Table session_table(const CallScene& scene);
/// The same with the agent product that wrote each.
struct ListedSessions {
  Table table;
  std::vector<SessionRow> rows;
  SessionTotals totals;
};
ListedSessions collect_sessions(const CallScene& scene);
std::span<const Column> listed_session_columns();
Record record_of_totals(const SessionTotals& all);

struct ToolSum {
  int64_t uses = 0, errors = 0;
};
/// A type of agents: how often they were started, how long they lived, what they used, how often
/// that failed.
struct AgentTypeRow {
  const CallScene& scene;
  std::string_view type;
  Sum sum{};
  Usage in_all{};
  int64_t instances = 0, spawned = 0, results = 0, result_errors = 0;
  Duration lifetime{0};
  int64_t lifetimes = 0;
  std::map<std::string_view, ToolSum> tools{};
  Cell used_tools{};

  Cell mean_lifetime() const { return lifetimes > 0 ? Cell(lifetime / lifetimes) : Cell(); }
  /// Returns the most used tools first.
  std::vector<std::pair<std::string_view, ToolSum>> most_used() const;
};
/// Returns the types in the order of their names.
std::vector<AgentTypeRow> collect_agent_types(const CallScene& scene);
Table agent_table(const CallScene& scene);
std::span<const Column> session_columns();
std::span<const Column> session_total_columns();
std::span<const Column> agent_columns();

}  // namespace xtrace
