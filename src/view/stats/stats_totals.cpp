#include "view/calls/costs.h"
#include "view/stats/stats_fields.h"

namespace xtrace {

namespace {

constexpr Column kTotalCounts[] = {
    {"sessions", "sessions, or runs if spans are the only input", CellKind::integer, true},
    {"agents", "agent instances; for spans, the agents named in each run", CellKind::integer, true},
    {"spawned", "agents started by a tool use or by another agent", CellKind::integer, true},
    {"spawn_rate", "mean number of spawned agents per call", CellKind::number},
    {"unrecorded_agents",
     "number of subagents known only from their report; their calls, tokens and cost are not "
     "included in any sum",
     CellKind::integer},
};

constexpr Column kTotalTools[] = {
    {"tool_results", "tool uses with a recorded result", CellKind::integer, true},
    {"tool_success_rate",
     "share of recorded results that are not errors; absent: no result is recorded",
     CellKind::number},
};

constexpr Column kTotalPath[] = {
    {"critical_path.calls",
     "calls that determined how long the longest session took; for spans, all spans that the run "
     "waited for",
     CellKind::integer},
    {"critical_path.duration_ms",
     "from the start of the first call to the end of the last, without waits for the user; for "
     "spans, their own time",
     CellKind::milliseconds},
};

constexpr Column kTotalAgain[] = {
    {"retried.requests", "requests that were retried", CellKind::integer, true},
    {"retried.recovered", "retried requests whose last attempt succeeded", CellKind::integer, true},
    {"retried.most_attempts", "maximum number of attempts of one request, including the first",
     CellKind::integer},
    {"retried.back_off_median_ms",
     "median time from the end of an attempt to the start of the next", CellKind::milliseconds},
    {"retried.back_off_max_ms", "", CellKind::milliseconds},
    {"retried.asked",
     "number of attempts made after a reply that asked for a wait (retry-after or similar)",
     CellKind::integer},
    {"retried.too_early", "number of attempts that started before the requested wait was over",
     CellKind::integer},
    {"repeated.calls", "model calls that repeat an earlier request, other than retries",
     CellKind::integer, true},
    {"repeated.cost_usd", "cost of these calls", CellKind::number},
    {"repeated.unpriced_calls", "repeated calls without a known cost", CellKind::integer},
    {"repeated.partly_priced_calls", "repeated calls whose cost is only partly known",
     CellKind::integer},
};

constexpr auto kTotals =
    joined_columns(kTotalCounts, kCallColumns, kDurationColumns, kUse, kTotalTools, kLifetime,
                   kTotalPath, kCritical, kOpenAtOnce, kWindow, kCompactions, kTotalAgain);

}  // namespace

std::span<const Column> total_columns() {
  return kTotals;
}

Record stats_totals(const Stats& stats) {
  Table table{"totals", kTotals};
  Tally models = stats.tally(Work::Kind::model_call), tools = stats.tally(Work::Kind::tool_run);
  Grouped agents;
  for (const AgentLife& life : stats.log.lives) agents.lives.push_back(&life);
  for (const Cell& cell : {Cell(stats.log.sessions), Cell(stats.log.agents), Cell(agents.spawned()),
                           rate(agents.spawned(), models.count()), some(agents.unrecorded())})
    table.cells.push_back(cell);
  add_calls(models, table);
  add_durations(models.durations, table);
  add_use(tools, table);
  table.cells.push_back(tools.known());
  table.cells.push_back(rate(tools.known() - tools.errors, tools.known()));
  add_lifetime(agents.lifetimes(true), table);
  const CriticalPath& path = stats.log.path;
  table.cells.push_back(some(path.steps));
  table.cells.push_back(path.steps > 0 ? Cell(path.took) : Cell());
  add_critical(stats, models, table);
  add_parallel(stats.at_once(), table);
  add_window(models, table);
  table.cells.push_back(models.compactions);
  RetrySum again = retry_sum(stats);
  Distribution waits = distribution_of(again.back_offs);
  for (const Cell& cell :
       {Cell(again.requests), Cell(again.recovered), some(again.most_attempts), known(waits.median),
        known(waits.most), some(again.asked), again.asked > 0 ? Cell(again.too_early) : Cell()})
    table.cells.push_back(cell);
  Usage repeated;
  int64_t times = 0;
  for (const Repeated& same : stats.repeated) {
    if (same.same != Repeated::Same::request) continue;
    repeated.add(stats.again(same));
    times += static_cast<int64_t>(same.times) - 1;
  }
  for (const Cell& cell :
       {Cell(times), dollars(repeated.cost), some(repeated.unpriced), some(repeated.partly)})
    table.cells.push_back(cell);
  return {std::move(table)};
}

}  // namespace xtrace
