#include <algorithm>

#include "view/stats/bill_sections.h"
#include "view/stats/stats_fields.h"

namespace xtrace {

namespace {

Time start_of(const Grouped& group) {
  Time start = kNoTime;
  for (const Work* work : group.models.works.empty() ? group.tools.works : group.models.works)
    start = earliest_known(start, work->done->start);
  return start;
}

constexpr Field<GroupRow> kGroupName[] = {
    {{"by", "what the groups are of: the word of --by", CellKind::text, true},
     [](const GroupRow& row) { return Cell(Door::own(word(row.stats.by))); }},
    {{"name",
      "name of the group; absent: its calls belong to none, or cannot be attributed; for task: the "
      "task named in the log, otherwise the query or turn",
      CellKind::text},
     [](const GroupRow& row) { return known(row.stats.group_name(row.group.name)); }},
    {{"label", "what text calls a group without a name: (no tool requested), (unknown)",
      CellKind::text},
     [](const GroupRow& row) {
       return row.group.name.empty() ? Cell(Door::own(row_of(row.stats.by).without)) : Cell();
     }},
    {{"start", "", CellKind::moment},
     [](const GroupRow& row) {
       return known(Moment{start_of(row.group), 3});
     }},
};
template <auto kValue>
Cell attributed(const GroupRow& row) {
  return row_of(row.stats.by).attributed && !row.group.name.empty() ? std::invoke(kValue, row.group)
                                                                    : Cell();
}
constexpr Field<GroupRow> kAttributed[] = {
    {{"subagents.cost_usd",
      "part of the cost of calls that subagents made; with --by spawner, subagents of subagents",
      CellKind::number},
     attributed<[](const Grouped& group) { return dollars(group.by_subagents.cost); }>},
    {{"guessed.cost_usd", "part of the cost that is attributed with a confidence below 1",
      CellKind::number},
     attributed<[](const Grouped& group) { return dollars(group.guessed.cost); }>},
    {{"confidence", "lowest confidence with which a call is attributed to the group",
      CellKind::number},
     attributed<[](const Grouped& group) { return Cell(group.confidence); }>},
    {{"method", "rule of the attribution with that confidence; absent: all are certain",
      CellKind::text},
     attributed<[](const Grouped& group) {
       return group.confidence < 1 ? Cell(Door::own(word(group.rule))) : Cell();
     }>},
    {{"hook_runs", "number of runs of the hook, with --by hook", CellKind::integer},
     [](const GroupRow& row) { return known(row.group.hook_runs); }},
};
constexpr auto kGroups = joined_fields(kGroupName, kCalls, kUse, kOpenAtOnce,
                                       fields_in<&GroupRow::sum, kCompactions>, kAttributed);

constexpr Field<GroupRow> kProvider[] = {
    {{"provider",
      "provider named in the log, else the maker of the model, inferred from its name; absent: "
      "unknown or several",
      CellKind::text},
     [](const GroupRow& row) { return known(row.stats.name(row.works.provider)); }},
};
constexpr auto kModels = joined_fields(kName, kProvider, kCalls, kWindow, kCritical);
constexpr auto kProviders = joined_fields(kName, kCalls);

constexpr Field<GroupRow> kInstances[] = {
    {{"instances", "agents of this type; the rows add up to totals.agents", CellKind::integer,
      true},
     [](const GroupRow& row) { return Cell(row.group.instances()); }},
};
constexpr auto kAgents = joined_fields(kName, kInstances, kSpawned, kLifetime, kCalls, kUse,
                                       kCritical, fields_in<&GroupRow::sum, kCompactions>);

constexpr Field<GroupRow> kToolCounts[] = {
    {{"uses", "tool uses", CellKind::integer, true},
     [](const GroupRow& row) { return Cell(row.works.sum.calls); }},
    {{"results", "tool uses with a recorded result", CellKind::integer, true},
     [](const GroupRow& row) { return Cell(row.works.sum.known()); }},
    {{"errors", "number of results that are errors", Role::errors, true},
     [](const GroupRow& row) { return Cell(row.works.sum.errors); }},
    {{"success_rate",
      "share of recorded results that are not errors; absent: no result is recorded",
      CellKind::number},
     [](const GroupRow& row) { return row.works.sum.success_rate(); }},
    {{"duration.median_ms",
      "nearest rank; from the end of the reply that requests the tool to the request with its "
      "result (concurrent tools end with the slowest); for a span, its duration",
      CellKind::milliseconds},
     [](const GroupRow& row) { return known(row.took.median); }},
};
constexpr auto kTools =
    joined_fields(kName, kToolCounts, fields_in<&GroupRow::took, kUpperDurations>);

constexpr Field<GroupRow> kOperationCounts[] = {
    {{"name", "chat, execute_tool, invoke_agent, retrieval; for other spans, their own name",
      CellKind::text},
     [](const GroupRow& row) { return row.name(); }},
    {{"times", "", CellKind::integer, true},
     [](const GroupRow& row) { return Cell(row.works.sum.calls); }},
    {{"errors", "", Role::errors, true},
     [](const GroupRow& row) { return Cell(row.works.sum.errors); }},
    {{"error_rate", "share of errors among those with a recorded outcome", CellKind::number},
     [](const GroupRow& row) { return row.works.sum.error_rate(); }},
    {{"unknown", "operations whose outcome is not recorded", CellKind::integer},
     [](const GroupRow& row) { return some(row.works.sum.unknown); }},
};
constexpr auto kOperations = joined_fields(kOperationCounts, kDurations);

}  // namespace

Table empty_group_table() {
  return table_of<kGroups>("groups");
}

Table group_table(const Stats& stats) {
  Table table = empty_group_table();
  for (const Grouped& group : by_group(stats))
    add_fields(kGroups,
               {.stats = stats, .group = group, .parallel = parallel_of(group.models.works)},
               table);
  return table;
}

namespace {

/// A table with a row for each group of the axis. Of tools, the uses are counted and timed.
template <const auto& kFields>
Table table_by(StatsAxis axis, std::string_view name, const Stats& stats) {
  Table table = table_of<kFields>(name);
  for (const Grouped& group : group_by(stats, axis))
    add_fields(kFields,
               {.stats = stats,
                .group = group,
                .works = axis == StatsAxis::tool ? group.tools : group.models,
                .lived = distribution_of(group.lifetimes(false)),
                .window = window_use(group.models.works)},
               table);
  return table;
}

}  // namespace

void add_stats_tables(const Stats& stats, Document& document) {
  if (stats.by != StatsBy::nothing) document.add(group_table(stats));  // what was asked for
  document.add(stats_totals(stats));
  document.add(table_by<kModels>(StatsAxis::model, "models", stats));
  document.add(table_by<kProviders>(StatsAxis::provider, "providers", stats));
  document.add(table_by<kAgents>(StatsAxis::agent, "agents", stats));
  document.add(table_by<kTools>(StatsAxis::tool, "tools", stats));
  document.add(table_by<kOperations>(StatsAxis::operation, "operations", stats));
  document.add(error_table(stats));
  document.add(retry_table(stats));
  document.add(repeated_table(stats));
  add_bill_tables(stats, document);
  add_time_tables(stats, document);
  if (stats.by == StatsBy::nothing) document.add(empty_group_table());
}

std::vector<Section> stats_sections(StatsOf of) {
  std::vector<Section> sections = {
      Record{{"totals", total_columns()}}, table_of<kModels>("models"),
      table_of<kProviders>("providers"),   table_of<kAgents>("agents"),
      table_of<kTools>("tools"),           table_of<kOperations>("operations")};
  for (Section& section : failure_sections()) sections.push_back(std::move(section));
  std::vector<Section> bill = bill_sections();
  if (of == StatsOf::spans) bill.resize(1);  // for spans, costs are known by kind only
  for (Section& section : bill) sections.push_back(std::move(section));
  if (of == StatsOf::calls)
    for (Section& section : time_sections()) sections.push_back(std::move(section));
  sections.push_back(empty_group_table());
  return sections;
}

}  // namespace xtrace
