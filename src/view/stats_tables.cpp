#include <algorithm>

#include "facts/model_maker.h"
#include "view/costs.h"
#include "view/stats.h"

namespace xtrace {

namespace {

constexpr Column kName[] = {{"name", "absent: not known", CellKind::text}};

constexpr Column kWindow[] = {
    {"context.limit",
     "tokens that the model takes at most, of the fullest call; its longer window "
     "where that call needs it; absent: not known here",
     CellKind::integer},
    {"context.most_sent", "tokens that the fullest call sent, cached ones too", CellKind::integer},
    {"context.most", "of the limit, by the fullest call", CellKind::number},
    {"context.median", "of the limit, nearest rank", CellKind::number},
};

constexpr Column kLifetime[] = {
    {"lifetime.median_ms", "from the first request to the last answer of an instance, nearest rank",
     CellKind::milliseconds},
    {"lifetime.p95_ms", "", CellKind::milliseconds},
    {"lifetime.max_ms", "", CellKind::milliseconds},
};

constexpr Column kCritical[] = {
    {"critical_calls", "calls on the critical path, the chain of links that took longest",
     CellKind::integer},
    {"critical_ms", "how long these took, without the waits between them", CellKind::milliseconds},
    {"slack.median_ms",
     "how much longer a call could have taken without making the longest chain of its session "
     "longer; nearest rank",
     CellKind::milliseconds},
};

constexpr Column kUse[] = {
    {"tool_uses", "tools that were asked for", CellKind::integer, true},
    {"tool_errors", "results that were errors", CellKind::integer, true},
};

constexpr Column kParallel[] = {
    {"parallel.most", "model calls open at once, at most", CellKind::integer},
    {"parallel.mean", "model calls open at once, of the time in which any was", CellKind::number},
};

constexpr Column kCompactions[] = {{"compactions",
                                    "calls of which a summary stands for what was said before",
                                    CellKind::integer, true}};

constexpr Column kTotalCounts[] = {
    {"sessions", "or runs, where spans tell of all", CellKind::integer, true},
    {"agents", "instances of agents", CellKind::integer, true},
    {"spawned", "agents that a tool use or another agent started", CellKind::integer, true},
    {"spawn_rate", "spawned by calls", CellKind::number},
};

constexpr Column kTotalTools[] = {
    {"tool_results", "of the tools asked for, those whose result was read", CellKind::integer,
     true},
    {"tool_success_rate", "results that were no errors by results", CellKind::number},
};

constexpr Column kTotalPath[] = {
    {"critical_path.calls", "of the chain of links that took longest", CellKind::integer},
    {"critical_path.duration_ms", "its calls and the waits for tools and subagents between them",
     CellKind::milliseconds},
};

constexpr Column kTotalAgain[] = {
    {"retried.requests", "requests that were made again", CellKind::integer, true},
    {"retried.recovered", "of these, the last attempt went well", CellKind::integer, true},
    {"retried.most_attempts", "of one request, the first one included", CellKind::integer},
    {"retried.back_off_median_ms", "from the end of an attempt to the start of the next",
     CellKind::milliseconds},
    {"retried.back_off_max_ms", "", CellKind::milliseconds},
    {"repeated.calls",
     "calls that asked for the second or a later time what had been asked, though "
     "no time failed",
     CellKind::integer, true},
    {"repeated.cost_usd", "of these", CellKind::number},
    {"repeated.unpriced_calls", "of these, calls whose cost is not known", CellKind::integer},
};

constexpr auto kTotals =
    joined_columns(kTotalCounts, kCallColumns, kDurationColumns, kUse, kTotalTools, kLifetime,
                   kTotalPath, kCritical, kParallel, kWindow, kCompactions, kTotalAgain);

constexpr Column kGroupName[] = {
    {"by", "task, run, session or day", CellKind::text, true},
    {"name",
     "absent: belongs to none; of a task: the one that the log names, else the query or "
     "the turn of a user",
     CellKind::text},
    {"start", "", CellKind::moment},
};
constexpr auto kGroups =
    joined_columns(kGroupName, kCallColumns, kDurationColumns, kUse, kParallel, kCompactions);

constexpr Column kProvider[] = {
    {"provider", "who makes the model, as its name tells", CellKind::text}};
constexpr auto kModels =
    joined_columns(kName, kProvider, kCallColumns, kDurationColumns, kWindow, kCritical);
constexpr auto kProviders = joined_columns(kName, kCallColumns, kDurationColumns);

constexpr Column kInstances[] = {
    {"instances", "agents of this type", CellKind::integer, true},
    {"spawned", "of these, those that a tool use or another agent started", CellKind::integer,
     true},
};
constexpr auto kAgents = joined_columns(kName, kInstances, kLifetime, kCallColumns,
                                        kDurationColumns, kUse, kCritical, kCompactions);

constexpr Column kToolCounts[] = {
    {"uses", "times it was asked for", CellKind::integer, true},
    {"results", "of these, those whose result was read", CellKind::integer, true},
    {"errors", "results that were errors", CellKind::integer, true},
    {"success_rate", "results that were no errors by results", CellKind::number},
};
constexpr Column kToolDurations[] = {
    {"duration.median_ms",
     "nearest rank; from the end of the answer that asks for it to the request that brings its "
     "result, which waits for the slowest of those asked for at once; of a span, its length",
     CellKind::milliseconds},
    {"duration.p95_ms", "nearest rank: 95 of 100 took no longer", CellKind::milliseconds},
    {"duration.p99_ms", "likewise", CellKind::milliseconds},
    {"duration.max_ms", "", CellKind::milliseconds},
    {"duration.total_ms", "the sum, also of what went on at once", CellKind::milliseconds},
};
constexpr auto kTools = joined_columns(kName, kToolCounts, kToolDurations);

constexpr Column kOperationCounts[] = {
    {"name", "chat, execute_tool, invoke_agent, retrieval; of other spans, their own name",
     CellKind::text},
    {"times", "", CellKind::integer, true},
    {"errors", "", CellKind::integer, true},
    {"error_rate", "errors by times", CellKind::number},
};
constexpr auto kOperations = joined_columns(kOperationCounts, kDurationColumns);

constexpr Column kErrors[] = {
    {"of", "model, tool, agent, retrieval or other", CellKind::text, true},
    {"class",
     "of a model: authentication, rate_limit, validation, network, provider; of a tool: not_found, "
     "invalid_arguments, execution, timeout; other: the log does not tell",
     CellKind::text, true},
    {"error", "the log's own word for it", CellKind::text},
    {"times", "", CellKind::integer, true},
    {"share", "of all that failed", CellKind::number, true},
};

constexpr Column kRetries[] = {
    {"call", "the first attempt", CellKind::text, true},
    {"at", "", CellKind::text, true},
    {"model", "", CellKind::text},
    {"attempts", "the first one included", CellKind::integer, true},
    {"status", "of the last one", CellKind::text, true},
    {"errors", "of those that failed, in order", CellKind::texts},
    {"back_offs_ms", "from the end of an attempt to the start of the next, whole milliseconds",
     CellKind::integers},
};

constexpr Column kRepeated[] = {
    {"of", "model or tool", CellKind::text, true},
    {"name", "the model or the tool", CellKind::text},
    {"same",
     "what is equal: the request, with model, system prompt and parameters; of a tool within a "
     "session, the command, or where it runs none, the target (other arguments may differ)",
     CellKind::text, true},
    {"target", "the file or address", CellKind::text},
    {"times", "", CellKind::integer, true},
    {"first", "the first call", CellKind::text, true},
    {"at", "where it stands", CellKind::text, true},
    {"cost_usd", "of all but the first", CellKind::number},
    {"tokens", "of all but the first", CellKind::integer},
};

void add_window(const Tally& tally, Table& table) {
  WindowUse use = window_use(tally.works);
  auto share = [](double part) { return part < 0 ? Cell() : Cell(thousandths(part)); };
  for (const Cell& cell :
       {known(use.limit), known(use.most_sent), share(use.most), share(use.median)})
    table.cells.push_back(cell);
}

void add_lifetime(std::vector<Duration> lifetimes, Table& table) {
  Spread lived = spread_of(std::move(lifetimes));
  for (Duration length : {lived.median, lived.p95, lived.most})
    table.cells.push_back(known(length));
}

void add_critical(const Stats& stats, const Tally& tally, Table& table) {
  bool is_known = stats.calls != nullptr;
  table.cells.push_back(is_known ? Cell(tally.critical) : Cell());
  table.cells.push_back(is_known && tally.critical > 0 ? Cell(tally.critical_time) : Cell());
  table.cells.push_back(known(spread_of(tally.slacks).median));
}

void add_use(const Tally& tools, Table& table) {
  table.cells.insert(table.cells.end(), {Cell(tools.count()), Cell(tools.errors)});
}

void add_parallel(const Tally& models, Table& table) {
  Parallel parallel = parallel_of(models.works);
  table.cells.push_back(some(parallel.most));
  table.cells.push_back(parallel.most > 0 ? Cell(thousandths(parallel.mean)) : Cell());
}

Record totals(const Stats& stats) {
  Table table{"totals", kTotals};
  Tally models = stats.tally(Work::Kind::model), tools = stats.tally(Work::Kind::tool);
  Grouped agents;
  for (const AgentLife& life : stats.log.lives) agents.lives.push_back(&life);
  for (const Cell& cell :
       {Cell(stats.log.sessions), Cell(static_cast<int64_t>(agents.lives.size())),
        Cell(agents.spawned()), rate(agents.spawned(), models.count())})
    table.cells.push_back(cell);
  add_calls(models, table);
  add_durations(models.durations, table);
  add_use(tools, table);
  table.cells.push_back(tools.answered());
  table.cells.push_back(rate(tools.answered() - tools.errors, tools.answered()));
  add_lifetime(agents.lifetimes(true), table);
  const Metrics* metrics = stats.calls == nullptr ? nullptr : &stats.calls->metrics;
  bool has_path = metrics != nullptr && !metrics->critical_path.empty();
  table.cells.push_back(has_path ? Cell(static_cast<int64_t>(metrics->critical_path.size()))
                                 : Cell());
  table.cells.push_back(has_path ? Cell(metrics->critical_time) : Cell());
  add_critical(stats, models, table);
  add_parallel(models, table);
  add_window(models, table);
  table.cells.push_back(models.compactions);
  RetrySum again = retry_sum(stats);
  Spread waits = spread_of(again.back_offs);
  for (const Cell& cell : {Cell(again.requests), Cell(again.recovered), some(again.most_attempts),
                           known(waits.median), known(waits.most)})
    table.cells.push_back(cell);
  Spent repeated;
  int64_t times = 0;
  for (const Repeated& same : stats.repeated) {
    if (same.same != Repeated::Same::request) continue;
    repeated.add(same.again);
    times += static_cast<int64_t>(same.calls.size()) - 1;
  }
  for (const Cell& cell : {Cell(times), dollars(repeated.cost), some(repeated.unpriced)})
    table.cells.push_back(cell);
  return {std::move(table)};
}

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
    add_parallel(group.models, table);
    table.cells.push_back(group.models.compactions);
  }
  return table;
}

Table model_table(const Stats& stats) {
  Table table{"models", kModels};
  for (const Grouped& model : by_model(stats)) {
    table.cells.push_back(known(stats.name(model.name)));
    table.cells.push_back(known(Door::own(maker_of(model.name))));
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
    table.cells.push_back(known(Door::own(provider.name)));
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
                       {known(stats.name(tool.name)), Cell(uses.count()), Cell(uses.answered()),
                        Cell(uses.errors), rate(uses.answered() - uses.errors, uses.answered())});
    add_durations(uses.durations, table);
  }
  return table;
}

Table operation_table(const Stats& stats) {
  Table table{"operations", kOperations};
  for (const Grouped& operation : by_operation(stats)) {
    const Tally& all = operation.models;
    table.cells.insert(table.cells.end(), {known(stats.name(operation.name)), Cell(all.count()),
                                           Cell(all.errors), rate(all.errors, all.count())});
    add_durations(all.durations, table);
  }
  return table;
}

Table error_table(const Stats& stats) {
  Table table{"errors", kErrors};
  std::vector<ErrorCount> errors = errors_of(stats);
  int64_t all = 0;
  for (const ErrorCount& error : errors) all += error.times;
  for (const ErrorCount& error : errors)
    table.add({Door::own(error.of), Door::own(word(error.error_class())),
               known(stats.name(error.error)), error.times, rate(error.times, all)});
  return table;
}

Table retry_table(const Stats& stats) {
  Table table{"retries", kRetries};
  for (const RetryChain& chain : stats.retries) {
    const Trace& trace = stats.question.graph.trace();
    Texts errors;
    for (EventId id : chain.attempts) {
      const Event& event = trace[id];
      if (event.outcome == Outcome::ok) continue;
      Text error = stats.name(trace[trace[event.call].error]);
      errors.push_back(error.empty() ? Door::own(word(event.outcome)) : error);
    }
    Integers waits;
    for (Duration wait : chain.back_offs)
      if (wait != kNoDuration)
        waits.push_back(std::chrono::floor<std::chrono::milliseconds>(wait).count());
    EventId first = chain.attempts.front();
    table.add({stats.names.id(first), stats.names.at(first),
               known(stats.name(trace[trace[trace[first].call].model])),
               static_cast<int64_t>(chain.attempts.size()),
               Door::own(word(trace[chain.attempts.back()].outcome)),
               some(std::move(errors), stats.shelf), stats.shelf.keep(std::move(waits))});
  }
  return table;
}

Table repeated_table(const Stats& stats) {
  Table table{"repeated", kRepeated};
  for (const Repeated& same : stats.repeated) {
    bool is_model = same.same == Repeated::Same::request;
    EventId first = same.calls.front();
    table.add({is_model ? Text("model") : Text("tool"), known(stats.name(same.name)),
               Door::own(kSameWords[static_cast<size_t>(same.same)]),
               same.target ? known(stats.name(stats.question.graph.trace()[same.target])) : Cell(),
               static_cast<int64_t>(same.calls.size()), stats.names.id(first),
               stats.names.at(first), is_model ? dollars(same.again.cost) : Cell(),
               is_model ? known(total_of(same.again.tokens)) : Cell()});
  }
  return table;
}

}  // namespace

void add_stats_tables(const Stats& stats, Document& document) {
  document.add(totals(stats));
  if (stats.by != StatsBy::nothing) document.add(group_table(stats));
  document.add(model_table(stats));
  document.add(provider_table(stats));
  document.add(agent_table_of(stats));
  document.add(tool_table(stats));
  document.add(operation_table(stats));
  document.add(error_table(stats));
  document.add(retry_table(stats));
  document.add(repeated_table(stats));
  if (stats.by == StatsBy::nothing) document.add(Table{"groups", kGroups});
}

std::vector<Section> stats_sections() {
  return {Record{{"totals", kTotals}}, Table{"models", kModels},   Table{"providers", kProviders},
          Table{"agents", kAgents},    Table{"tools", kTools},     Table{"operations", kOperations},
          Table{"errors", kErrors},    Table{"retries", kRetries}, Table{"repeated", kRepeated},
          Table{"groups", kGroups}};
}

}  // namespace xtrace
