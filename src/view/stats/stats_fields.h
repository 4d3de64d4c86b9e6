#pragma once

#include "view/stats/stats.h"

namespace xtrace {

/// A row of what `stats` adds up, with figures that are expensive to compute and needed in several
/// columns.
struct GroupRow {
  const Stats& stats;
  const Grouped& group;
  const Tally& works = group.models;  ///< what is counted and timed
  Distribution took = distribution_of(works.durations);
  // Of those tables alone that show it:
  Distribution lived{};
  Parallel parallel{};
  WindowUse window{};

  const CallSum& sum() const { return works.sum; }
  bool has_path() const { return stats.log.path.steps > 0; }
  Cell name() const { return known(stats.name(group.name)); }
  static Cell known_share(double share) { return share < 0 ? Cell() : Cell(thousandths(share)); }
};

// Fields that several tables of `stats` have.

inline constexpr Field<GroupRow> kName[] = {
    {{"name", "name; absent: unknown", CellKind::text},
     [](const GroupRow& row) { return row.name(); }},
};

inline constexpr auto kDurations =
    joined_fields(fields_in<&GroupRow::took, kMedian>, fields_in<&GroupRow::took, kUpperDurations>);
/// Of model calls.
inline constexpr auto kCalls = joined_fields(fields_in<&GroupRow::sum, kCallMeasures>, kDurations);

inline constexpr Field<GroupRow> kSessionCount[] = {
    {{"sessions", "sessions of model calls, plus runs of spans that no model call covers",
      CellKind::integer, true},
     [](const GroupRow& row) { return Cell(row.stats.log.sessions + row.stats.log.runs); }},
};
inline constexpr Field<GroupRow> kAgentCount[] = {
    {{"agents", "agent instances; for spans, the agents named in each run", CellKind::integer,
      true},
     [](const GroupRow& row) { return Cell(row.stats.log.agents()); }},
};
inline constexpr Field<GroupRow> kSpawned[] = {
    {{"spawned", "agents started by a tool use or by another agent", CellKind::integer, true},
     [](const GroupRow& row) { return Cell(row.group.spawned()); }},
};

inline constexpr Field<GroupRow> kWindow[] = {
    {{"context.limit",
      "context window, in tokens, of the model that received the fullest call; the extended window "
      "if that call needs it; absent: unknown",
      CellKind::integer},
     [](const GroupRow& row) { return known(row.window.limit); }},
    {{"context.most_sent", "tokens sent by the fullest call, including cached ones",
      CellKind::integer},
     [](const GroupRow& row) { return known(row.window.most_sent); }},
    {{"context.most", "share of the limit used by the fullest call", CellKind::number},
     [](const GroupRow& row) { return row.known_share(row.window.most); }},
    {{"context.median", "median share of the limit used by a call, nearest rank", CellKind::number},
     [](const GroupRow& row) { return row.known_share(row.window.median); }},
};

inline constexpr Field<GroupRow> kLifetime[] = {
    {{"lifetime.median_ms",
      "from an instance's first request to its last reply; median, nearest rank",
      CellKind::milliseconds},
     [](const GroupRow& row) { return known(row.lived.median); }},
    {{"lifetime.p95_ms", "", CellKind::milliseconds},
     [](const GroupRow& row) { return known(row.lived.p95); }},
    {{"lifetime.max_ms", "", CellKind::milliseconds},
     [](const GroupRow& row) { return known(row.lived.most); }},
};

inline constexpr Field<GroupRow> kCritical[] = {
    {{"critical_calls", "calls on the critical path of the longest session", CellKind::integer},
     [](const GroupRow& row) { return row.has_path() ? Cell(row.works.critical) : Cell(); }},
    {{"critical_ms",
      "total duration of these calls, without the waits between them; for spans, without the spans "
      "below them",
      CellKind::milliseconds},
     [](const GroupRow& row) {
       return row.has_path() && row.works.critical > 0 ? Cell(row.works.critical_time) : Cell();
     }},
    {{"slack.median_ms",
      "slack: how much longer a call (or a span) could have taken without delaying anything after "
      "it (or the run); nearest rank",
      CellKind::milliseconds},
     [](const GroupRow& row) { return known(distribution_of(row.works.slacks).median); }},
};

inline constexpr Field<GroupRow> kUse[] = {
    {{"tool_uses", "tool uses", CellKind::integer, true},
     [](const GroupRow& row) { return Cell(row.group.tools.sum.calls); }},
    {{"tool_errors", "number of results that are errors", CellKind::integer, true},
     [](const GroupRow& row) { return Cell(row.group.tools.sum.errors); }},
};

inline constexpr Field<GroupRow> kOpenAtOnce[] = {
    {{"parallel.most",
      "maximum number of concurrent model calls or, if the log records none, of spans without "
      "children",
      CellKind::integer},
     [](const GroupRow& row) { return some(row.parallel.most); }},
    {{"parallel.mean", "mean number of concurrent model calls while any was running",
      CellKind::number},
     [](const GroupRow& row) {
       return row.parallel.most > 0 ? Cell(thousandths(row.parallel.mean)) : Cell();
     }},
};

// Of the tables, one file each.

std::span<const Column> total_columns();
Record stats_totals(const Stats& stats);
Table error_table(const Stats& stats);
Table retry_table(const Stats& stats);
Table repeated_table(const Stats& stats);
/// The same without rows.
std::vector<Section> failure_sections();

}  // namespace xtrace
