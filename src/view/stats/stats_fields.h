#pragma once

#include "view/stats/stats.h"

namespace xtrace {

// Columns that several tables of `stats` have, and what fills them in.

inline constexpr Column kName[] = {{"name", "name; absent: unknown", CellKind::text}};

inline constexpr Column kWindow[] = {
    {"context.limit",
     "context window, in tokens, of the model that received the fullest call; the extended window "
     "if that call needs it; absent: unknown",
     CellKind::integer},
    {"context.most_sent", "tokens sent by the fullest call, including cached ones",
     CellKind::integer},
    {"context.most", "share of the limit used by the fullest call", CellKind::number},
    {"context.median", "median share of the limit used by a call, nearest rank", CellKind::number},
};

inline constexpr Column kLifetime[] = {
    {"lifetime.median_ms",
     "from an instance's first request to its last reply; median, nearest rank",
     CellKind::milliseconds},
    {"lifetime.p95_ms", "", CellKind::milliseconds},
    {"lifetime.max_ms", "", CellKind::milliseconds},
};

inline constexpr Column kCritical[] = {
    {"critical_calls", "calls on the critical path of the longest session", CellKind::integer},
    {"critical_ms",
     "total duration of these calls, without the waits between them; for spans, without the spans "
     "below them",
     CellKind::milliseconds},
    {"slack.median_ms",
     "slack: how much longer a call (or a span) could have taken without delaying anything after "
     "it (or the run); nearest rank",
     CellKind::milliseconds},
};

inline constexpr Column kUse[] = {
    {"tool_uses", "tool uses", CellKind::integer, true},
    {"tool_errors", "number of results that are errors", CellKind::integer, true},
};

inline constexpr Column kOpenAtOnce[] = {
    {"parallel.most",
     "maximum number of concurrent model calls or, if the log records none, of spans without "
     "children",
     CellKind::integer},
    {"parallel.mean", "mean number of concurrent model calls while any was running",
     CellKind::number},
};

inline constexpr Column kCompactions[] = {
    {"compactions",
     "calls whose earlier conversation is summarized or shortened; also calls that request a "
     "summary, if no recorded call continues from that summary",
     CellKind::integer, true}};

void add_window(const Tally& tally, Table& table);
void add_lifetime(std::vector<Duration> lifetimes, Table& table);
void add_critical(const Stats& stats, const Tally& tally, Table& table);
void add_use(const Tally& tools, Table& table);
void add_parallel(const Parallel& parallel, Table& table);

// Of the tables, one file each.

std::span<const Column> total_columns();
Record stats_totals(const Stats& stats);
Table error_table(const Stats& stats);
Table retry_table(const Stats& stats);
Table repeated_table(const Stats& stats);
/// The same without rows.
std::vector<Section> failure_sections();

}  // namespace xtrace
