#include "view/stats/stats_fields.h"

namespace xtrace {

namespace {

constexpr Field<GroupRow> kRunCount[] = {
    {{"runs", "runs of spans among `sessions`, if the input also contains model calls",
      CellKind::integer},
     [](const GroupRow& row) {
       return row.stats.calls != nullptr ? some(row.stats.log.runs) : Cell();
     }},
};
constexpr Field<GroupRow> kSpawnRate[] = {
    {{"spawn_rate", "mean number of spawned agents per call", CellKind::number},
     [](const GroupRow& row) { return rate(row.group.spawned(), row.works.sum.calls); }},
    {{"unrecorded_agents",
      "number of subagents known only from their report; their calls, tokens and cost are not "
      "included in any sum",
      CellKind::integer},
     [](const GroupRow& row) { return some(row.group.unrecorded()); }},
};

constexpr Field<GroupRow> kTotalTools[] = {
    {{"tool_results", "tool uses with a recorded result", CellKind::integer, true},
     [](const GroupRow& row) { return Cell(row.group.tools.sum.known()); }},
    {{"tool_success_rate",
      "share of recorded results that are not errors; absent: no result is recorded",
      CellKind::number},
     [](const GroupRow& row) { return row.group.tools.sum.success_rate(); }},
};

constexpr Field<GroupRow> kTotalPath[] = {
    {{"critical_path.calls",
      "calls that determined how long the longest session took; for spans, all spans that the run "
      "waited for",
      CellKind::integer},
     [](const GroupRow& row) { return some(row.stats.log.path.steps); }},
    {{"critical_path.duration_ms",
      "from the start of the first call to the end of the last, without waits for the user; for "
      "spans, their own time",
      CellKind::milliseconds},
     [](const GroupRow& row) { return row.has_path() ? Cell(row.stats.log.path.took) : Cell(); }},
};

constexpr auto kTotalWork =
    joined_fields(kSessionCount, kRunCount, kAgentCount, kSpawned, kSpawnRate, kCalls, kUse,
                  kTotalTools, kLifetime, kTotalPath, kCritical, kOpenAtOnce, kWindow,
                  fields_in<&GroupRow::sum, kCompactions>);

constexpr Field<RetrySum> kRetried[] = {
    {{"retried.requests", "requests that were retried", CellKind::integer, true},
     member<&RetrySum::requests>},
    {{"retried.recovered", "retried requests whose last attempt succeeded", CellKind::integer,
      true},
     member<&RetrySum::recovered>},
    {{"retried.most_attempts", "maximum number of attempts of one request, including the first",
      CellKind::integer},
     [](const RetrySum& sum) { return some(sum.most_attempts); }},
    {{"retried.back_off_median_ms",
      "median time from the end of an attempt to the start of the next", CellKind::milliseconds},
     [](const RetrySum& sum) { return known(distribution_of(sum.back_offs).median); }},
    {{"retried.back_off_max_ms", "", CellKind::milliseconds},
     [](const RetrySum& sum) { return known(distribution_of(sum.back_offs).most); }},
    {{"retried.asked",
      "number of attempts made after a reply that asked for a wait (retry-after or similar)",
      CellKind::integer},
     [](const RetrySum& sum) { return some(sum.asked); }},
    {{"retried.too_early", "number of attempts that started before the requested wait was over",
      CellKind::integer},
     [](const RetrySum& sum) { return sum.asked > 0 ? Cell(sum.too_early) : Cell(); }},
};

/// Model calls that were made again, without the first of each.
struct RepeatedSum {
  int64_t times = 0;
  Usage usage{};
};

RepeatedSum repeated_sum(const Stats& stats) {
  RepeatedSum sum;
  for (const Repeated& same : stats.repeated) {
    if (same.same != Repeated::Same::request) continue;
    sum.usage.add(stats.again(same));
    sum.times += static_cast<int64_t>(same.times) - 1;
  }
  return sum;
}

constexpr Field<RepeatedSum> kRepeatedSums[] = {
    {{"repeated.calls", "model calls that repeat an earlier request, other than retries",
      CellKind::integer, true},
     member<&RepeatedSum::times>},
    {{"repeated.cost_usd", "cost of these calls", CellKind::number},
     [](const RepeatedSum& sum) { return dollars(sum.usage.cost); }},
    {{"repeated.unpriced_calls", "repeated calls without a known cost", CellKind::integer},
     [](const RepeatedSum& sum) { return some(sum.usage.unpriced); }},
    {{"repeated.partly_priced_calls", "repeated calls whose cost is only partly known",
      CellKind::integer},
     [](const RepeatedSum& sum) { return some(sum.usage.partly); }},
};

struct TotalRow {
  GroupRow work;
  RetrySum retried;
  RepeatedSum repeated;
};

constexpr auto kTotals =
    joined_fields(fields_in<&TotalRow::work, kTotalWork>, fields_in<&TotalRow::retried, kRetried>,
                  fields_in<&TotalRow::repeated, kRepeatedSums>);

}  // namespace

std::span<const Column> total_columns() {
  return columns_of<kTotals>();
}

Record stats_totals(const Stats& stats) {
  const Grouped all = all_of(stats);
  return record_of<kTotals>("totals", {{.stats = stats,
                                        .group = all,
                                        .lived = distribution_of(all.lifetimes(true)),
                                        .parallel = stats.at_once(all.models),
                                        .window = window_use(all.models.works)},
                                       retry_sum(stats),
                                       repeated_sum(stats)});
}

}  // namespace xtrace
