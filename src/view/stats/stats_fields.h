#pragma once

#include "view/stats/stats.h"

namespace xtrace {

// Columns that several tables of `stats` have, and what fills them in.

inline constexpr Column kName[] = {{"name", "absent: not known", CellKind::text}};

inline constexpr Column kWindow[] = {
    {"context.limit",
     "tokens that the model takes at most, of the fullest call; its longer window "
     "where that call needs it; absent: not known here",
     CellKind::integer},
    {"context.most_sent", "tokens that the fullest call sent, cached ones too", CellKind::integer},
    {"context.most", "of the limit, by the fullest call", CellKind::number},
    {"context.median", "of the limit, nearest rank", CellKind::number},
};

inline constexpr Column kLifetime[] = {
    {"lifetime.median_ms", "from the first request to the last answer of an instance, nearest rank",
     CellKind::milliseconds},
    {"lifetime.p95_ms", "", CellKind::milliseconds},
    {"lifetime.max_ms", "", CellKind::milliseconds},
};

inline constexpr Column kCritical[] = {
    {"critical_calls",
     "calls on the critical path, which decided how long the longest session took",
     CellKind::integer},
    {"critical_ms",
     "how long these took, without the waits between them; of spans, without those below them",
     CellKind::milliseconds},
    {"slack.median_ms",
     "how much longer a call could have gone on with nothing after it any later, or a span and its "
     "run no longer; nearest rank",
     CellKind::milliseconds},
};

inline constexpr Column kUse[] = {
    {"tool_uses", "tools that were asked for", CellKind::integer, true},
    {"tool_errors", "results that were errors", CellKind::integer, true},
};

inline constexpr Column kOpenAtOnce[] = {
    {"parallel.most",
     "model calls open at once, at most; where spans tell of none, spans with none below them",
     CellKind::integer},
    {"parallel.mean", "model calls open at once, of the time in which any was", CellKind::number},
};

inline constexpr Column kCompactions[] = {
    {"compactions",
     "calls of which a summary stands for what was said before, or some of it is left out; or that "
     "ask for the summary, where no call is on record that goes on with it",
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
