#include "view/calls/costs.h"
#include "view/stats/stats_fields.h"

namespace xtrace {

namespace {

constexpr Column kTotalCounts[] = {
    {"sessions", "or runs, where spans tell of all", CellKind::integer, true},
    {"agents", "instances of agents; of spans, the agents that each run names", CellKind::integer,
     true},
    {"spawned", "agents that a tool use or another agent started", CellKind::integer, true},
    {"spawn_rate", "spawned by calls", CellKind::number},
    {"unrecorded_agents",
     "agents of which only a report tells: their calls, tokens and cost are in no sum",
     CellKind::integer},
};

constexpr Column kTotalTools[] = {
    {"tool_results", "of the tools asked for, those whose result is on record", CellKind::integer,
     true},
    {"tool_success_rate", "results that were no errors by results; absent: none is on record",
     CellKind::number},
};

constexpr Column kTotalPath[] = {
    {"critical_path.calls",
     "that decided how long the longest session took; of spans, all that its run waited for from "
     "end to start",
     CellKind::integer},
    {"critical_path.duration_ms",
     "from the start of its first call to the end of its last, without what a user took to think; "
     "of spans, their own time",
     CellKind::milliseconds},
};

constexpr Column kTotalAgain[] = {
    {"retried.requests", "requests that were made again", CellKind::integer, true},
    {"retried.recovered", "of these, the last attempt went well", CellKind::integer, true},
    {"retried.most_attempts", "of one request, the first one included", CellKind::integer},
    {"retried.back_off_median_ms", "from the end of an attempt to the start of the next",
     CellKind::milliseconds},
    {"retried.back_off_max_ms", "", CellKind::milliseconds},
    {"retried.asked",
     "attempts that the answer before them asked to wait (retry-after and the like)",
     CellKind::integer},
    {"retried.too_early", "of these, those that did not wait as long", CellKind::integer},
    {"repeated.calls",
     "model calls whose request had been made before, and not because that failed",
     CellKind::integer, true},
    {"repeated.cost_usd", "of these", CellKind::number},
    {"repeated.unpriced_calls", "of these, calls whose cost is not known", CellKind::integer},
    {"repeated.partly_priced_calls", "of these, calls that cost more than the part that is known",
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
