#include <algorithm>

#include "view/calls/costs.h"
#include "view/stats/bill_sections.h"
#include "view/stats/stats_fields.h"

namespace xtrace {

namespace {

constexpr Column kGroupName[] = {
    {"by", "task, run, session or day", CellKind::text, true},
    {"name",
     "name of the group; absent: its calls belong to none; for task: the task named in the log, "
     "otherwise the query or turn",
     CellKind::text},
    {"start", "", CellKind::moment},
};
constexpr auto kGroups =
    joined_columns(kGroupName, kCallColumns, kDurationColumns, kUse, kOpenAtOnce, kCompactions);

constexpr Column kProvider[] = {{"provider",
                                 "provider named in the log, else the maker of the model, inferred "
                                 "from its name; absent: unknown or several",
                                 CellKind::text}};
constexpr auto kModels =
    joined_columns(kName, kProvider, kCallColumns, kDurationColumns, kWindow, kCritical);
constexpr auto kProviders = joined_columns(kName, kCallColumns, kDurationColumns);

constexpr Column kInstances[] = {
    {"instances", "agents of this type", CellKind::integer, true},
    {"spawned", "agents started by a tool use or by another agent", CellKind::integer, true},
};
constexpr auto kAgents = joined_columns(kName, kInstances, kLifetime, kCallColumns,
                                        kDurationColumns, kUse, kCritical, kCompactions);

constexpr Column kToolCounts[] = {
    {"uses", "tool uses", CellKind::integer, true},
    {"results", "tool uses with a recorded result", CellKind::integer, true},
    {"errors", "number of results that are errors", CellKind::integer, true},
    {"success_rate", "share of recorded results that are not errors; absent: no result is recorded",
     CellKind::number},
};
constexpr Column kToolDurations[] = {
    {"duration.median_ms",
     "nearest rank; from the end of the reply that requests the tool to the request with its "
     "result (concurrent tools end with the slowest); for a span, its duration",
     CellKind::milliseconds},
    {"duration.p95_ms", "95th percentile, nearest rank", CellKind::milliseconds},
    {"duration.p99_ms", "99th percentile, nearest rank", CellKind::milliseconds},
    {"duration.max_ms", "", CellKind::milliseconds},
    {"duration.total_ms", "sum of all durations, including overlapping ones",
     CellKind::milliseconds},
};
constexpr auto kTools = joined_columns(kName, kToolCounts, kToolDurations);

constexpr Column kOperationCounts[] = {
    {"name", "chat, execute_tool, invoke_agent, retrieval; for other spans, their own name",
     CellKind::text},
    {"times", "", CellKind::integer, true},
    {"errors", "", CellKind::integer, true},
    {"error_rate", "share of errors among those with a recorded outcome", CellKind::number},
    {"unknown", "operations whose outcome is not recorded", CellKind::integer},
};
constexpr auto kOperations = joined_columns(kOperationCounts, kDurationColumns);

Table group_table(const Stats& stats) {
  Table table{"groups", kGroups};
  for (const Grouped& group : by_group(stats)) {
    Time start = kNoTime;
    for (const Work* work : group.models.works.empty() ? group.tools.works : group.models.works)
      if (work->start != kNoTime && (start == kNoTime || work->start < start)) start = work->start;
    Cell name = stats.by == StatsBy::day
                    ? known(stats.question.door.composed(std::string(group.name)))
                    : known(stats.name(group.name));
    table.cells.insert(table.cells.end(),
                       {Door::own(word(stats.by)), name, known(Moment{start, 3})});
    add_calls(group.models, table);
    add_durations(group.models.durations, table);
    add_use(group.tools, table);
    add_parallel(parallel_of(group.models.works), table);
    table.cells.push_back(group.models.compactions);
  }
  return table;
}

Table model_table(const Stats& stats) {
  Table table{"models", kModels};
  for (const Grouped& model : by_model(stats)) {
    table.cells.push_back(known(stats.name(model.name)));
    table.cells.push_back(known(stats.name(model.models.provider)));
    add_calls(model.models, table);
    add_durations(model.models.durations, table);
    add_window(model.models, table);
    add_critical(stats, model.models, table);
  }
  return table;
}

Table provider_table(const Stats& stats) {
  Table table{"providers", kProviders};
  for (const Grouped& provider : by_provider(stats)) {
    table.cells.push_back(known(stats.name(provider.name)));
    add_calls(provider.models, table);
    add_durations(provider.models.durations, table);
  }
  return table;
}

Table agent_table_of(const Stats& stats) {
  Table table{"agents", kAgents};
  for (const Grouped& agent : by_agent(stats)) {
    table.cells.push_back(known(stats.name(agent.name)));
    table.cells.push_back(static_cast<int64_t>(agent.lives.size()));
    table.cells.push_back(agent.spawned());
    add_lifetime(agent.lifetimes(false), table);
    add_calls(agent.models, table);
    add_durations(agent.models.durations, table);
    add_use(agent.tools, table);
    add_critical(stats, agent.models, table);
    table.cells.push_back(agent.models.compactions);
  }
  return table;
}

Table tool_table(const Stats& stats) {
  Table table{"tools", kTools};
  for (const Grouped& tool : by_tool(stats)) {
    const Tally& uses = tool.tools;
    table.cells.insert(table.cells.end(),
                       {known(stats.name(tool.name)), Cell(uses.count()), Cell(uses.known()),
                        Cell(uses.errors), rate(uses.known() - uses.errors, uses.known())});
    add_durations(uses.durations, table);
  }
  return table;
}

Table operation_table(const Stats& stats) {
  Table table{"operations", kOperations};
  for (const Grouped& operation : by_operation(stats)) {
    const Tally& all = operation.models;
    table.cells.insert(table.cells.end(),
                       {known(stats.name(operation.name)), Cell(all.count()), Cell(all.errors),
                        rate(all.errors, all.known()), some(all.unknown)});
    add_durations(all.durations, table);
  }
  return table;
}

}  // namespace

void add_stats_tables(const Stats& stats, Document& document) {
  document.add(stats_totals(stats));
  if (stats.by != StatsBy::nothing) document.add(group_table(stats));
  document.add(model_table(stats));
  document.add(provider_table(stats));
  document.add(agent_table_of(stats));
  document.add(tool_table(stats));
  document.add(operation_table(stats));
  document.add(error_table(stats));
  document.add(retry_table(stats));
  document.add(repeated_table(stats));
  add_bill_tables(stats, document);
  add_time_tables(stats, document);
  if (stats.by == StatsBy::nothing) document.add(Table{"groups", kGroups});
}

std::vector<Section> stats_sections(StatsOf of) {
  std::vector<Section> sections = {Record{{"totals", total_columns()}},
                                   Table{"models", kModels},
                                   Table{"providers", kProviders},
                                   Table{"agents", kAgents},
                                   Table{"tools", kTools},
                                   Table{"operations", kOperations}};
  for (Section& section : failure_sections()) sections.push_back(std::move(section));
  std::vector<Section> bill = bill_sections();
  if (of == StatsOf::spans) bill.resize(1);  // what spans tell of money is by kind alone
  for (Section& section : bill) sections.push_back(std::move(section));
  if (of == StatsOf::calls)
    for (Section& section : time_sections()) sections.push_back(std::move(section));
  sections.push_back(Table{"groups", kGroups});
  return sections;
}

}  // namespace xtrace
