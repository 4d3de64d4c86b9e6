#include "view/common/shown_targets.h"
#include "view/stats/bill_sections.h"

namespace xtrace {

namespace {

/// One kind of tokens, all together.
struct KindRow {
  std::string_view kind;
  int64_t tokens = kNoCount, cost = 0, all = 0;
};

constexpr Field<KindRow> kBill[] = {
    {{"kind",
      "input: uncached; cache_write; cache_read; output: including reasoning; fees: for tools run "
      "by vendors; unsplit: recorded costs that the price list cannot explain; uncharged: amount "
      "by which recorded totals are below the prices of their calls",
      CellKind::text, true},
     [](const KindRow& row) { return Cell(Door::own(row.kind)); }},
    {{"tokens", "", Role::tokens}, [](const KindRow& row) { return known(row.tokens); }},
    {{"cost_usd", "the rows add up to the cost of all calls; absent: included in unsplit",
      Role::cost},
     [](const KindRow& row) { return row.cost == kNoCount ? Cell() : Cell(Dollars{row.cost}); }},
    {{"share", "share of the cost of all calls", CellKind::number},
     [](const KindRow& row) { return row.cost < 0 ? Cell() : rate(row.cost, row.all); }},
};

constexpr Column kFirstCallColumn{"at", "location of its first call", CellKind::text, true};

struct TurnRow {
  const Stats& stats;
  const TurnSum& turn;

  const TurnSum& time() const { return turn; }
  const CallSum& sum() const { return turn.sum; }
};

constexpr Field<TurnRow> kTurnPlace[] = {
    {{"turn",
      "number of the turn in the whole session, preceded by the session or agent if there are "
      "several",
      CellKind::text, true},
     [](const TurnRow& row) { return Cell(row.stats.turn(row.turn.turn)); }},
    {kFirstCallColumn,
     [](const TurnRow& row) { return Cell(row.stats.calls->names.at(row.turn.first)); }},
    {{"start", "", CellKind::moment},
     [](const TurnRow& row) {
       return known(Moment{row.stats.calls->timeline()[row.turn.first].start, 3});
     }},
    {{"duration_ms", "from the start of its first call to the end of its last", Role::duration},
     [](const TurnRow& row) { return known(row.turn.took); }},
};

constexpr Field<TurnSum> kTurnTime[] = {
    {{"time.total_ms",
      "time of the turn plus the preceding wait for the user; equal to the sum of the parts below; "
      "all turns add up to `time`",
      CellKind::milliseconds},
     total_time},
    {{"time.model_ms", "a model was running", CellKind::milliseconds}, part_time<PathPart::model>},
    {{"time.tool_ms", "a tool was running", CellKind::milliseconds}, part_time<PathPart::tool>},
    {{"time.permission_ms", "wait for the user's permission to run a tool", CellKind::milliseconds},
     part_time<PathPart::permission>},
    {{"time.retry_wait_ms", "wait before a failed call was retried", CellKind::milliseconds},
     part_time<PathPart::retry_wait>},
    {{"time.background_ms", "wait for background work to end", CellKind::milliseconds},
     part_time<PathPart::background>},
    {{"time.person_ms",
      "wait for the user's message before it, or for a reply to a tool's question",
      CellKind::milliseconds},
     part_time<PathPart::person>},
    {{"time.unexplained_ms", "gaps without an explanation in the log", CellKind::milliseconds},
     part_time<PathPart::unexplained>},
};

constexpr auto kTurns = joined_fields(kTurnPlace, fields_in<&TurnRow::sum, kCountedSums>,
                                      fields_in<&TurnRow::time, kTurnTime>);

struct SubagentRow {
  const Stats& stats;
  const SubagentSum& subagent;

  const CallSum& sum() const { return subagent.sum; }
};

constexpr Field<SubagentRow> kSubagentPlace[] = {
    {{"agent", "", CellKind::text, true},
     [](const SubagentRow& row) {
       const CallScene& scene = *row.stats.calls;
       return Cell(scene.names.agent(scene.graph.agents()[row.subagent.agent]));
     }},
    {{"turn", "turn in which it was started", CellKind::text, true},
     [](const SubagentRow& row) { return Cell(row.stats.turn(row.subagent.turn)); }},
    {kFirstCallColumn,
     [](const SubagentRow& row) { return Cell(row.stats.calls->names.at(row.subagent.first)); }},
};

constexpr auto kSubagents =
    joined_fields(kSubagentPlace, fields_in<&SubagentRow::sum, kCountedSums>);

struct ExpensiveRow {
  const Stats& stats;
  const ExpensiveCall& one;
  CallSum sum;
};

constexpr Field<ExpensiveRow> kExpensivePlace[] = {
    {{"call", "", CellKind::text, true},
     [](const ExpensiveRow& row) { return Cell(row.stats.calls->names.id(row.one.call)); }},
    {{"at", "", CellKind::text, true},
     [](const ExpensiveRow& row) { return Cell(row.stats.calls->names.at(row.one.call)); }},
    {{"turn", "", CellKind::text, true},
     [](const ExpensiveRow& row) {
       return Cell(row.stats.turn(row.stats.account->turn_of[row.one.call.index]));
     }},
    {{"agent", "", CellKind::text},
     [](const ExpensiveRow& row) {
       const CallScene& scene = *row.stats.calls;
       return known(scene.names.agent(scene.graph.agent_of(row.one.call)));
     }},
    {{"why",
      "main part of the cost: cache_rebuilt (earlier cache content was paid for again), "
      "new_context (new input), long_context (earlier conversation read from a cache), "
      "long_output; unknown: the log records only a total",
      CellKind::text, true},
     [](const ExpensiveRow& row) {
       return Cell(Door::own(kCostReasonWords[static_cast<size_t>(row.one.reason)]));
     }},
    {{"tool_errors", "tool uses of the call that failed", CellKind::integer},
     [](const ExpensiveRow& row) {
       return some(row.stats.calls->graph.activities().failed_tools_of(row.one.call));
     }},
};

constexpr auto kExpensive = joined_fields(kExpensivePlace, fields_in<&ExpensiveRow::sum, kSums>);

struct RebuildRow {
  const Stats& stats;
  const CacheRebuild& one;
  CellArena& arena;
};

constexpr Field<RebuildRow> kRebuilds[] = {
    {{"call", "call that paid for the tokens again", CellKind::text, true},
     [](const RebuildRow& row) { return Cell(row.stats.calls->names.id(row.one.call)); }},
    {{"at", "", CellKind::text, true},
     [](const RebuildRow& row) { return Cell(row.stats.calls->names.at(row.one.call)); }},
    {{"turn", "", CellKind::text, true},
     [](const RebuildRow& row) {
       return Cell(row.stats.turn(row.stats.account->turn_of[row.one.call.index]));
     }},
    {{"before", "call after which the cache contained these tokens", CellKind::text, true},
     [](const RebuildRow& row) { return Cell(row.stats.calls->names.id(row.one.before)); }},
    {{"cause",
      "the cause with the highest confidence: model_switch, pause (longer than the cache "
      "lifetime), compaction, micro_compaction (the client dropped tool outputs), changed_history, "
      "changed_prompt, changed_tools, resume (the client was restarted), or unknown: not recorded",
      CellKind::text, true},
     [](const RebuildRow& row) { return Cell(Door::own(word(row.one.cause))); }},
    {{"causes", "all causes, if several apply", CellKind::texts},
     [](const RebuildRow& row) {
       Texts causes;
       for (RebuildCause cause : row.one.causes) causes.push_back(Door::own(word(cause)));
       return some(causes.size() > 1 ? std::move(causes) : Texts{}, row.arena);
     }},
    {{"held", "tokens that the previous call read from the cache or wrote to it", CellKind::integer,
      true},
     [](const RebuildRow& row) { return Cell(row.one.held); }},
    {{"read", "tokens in `held` that were read from the cache", CellKind::integer, true},
     [](const RebuildRow& row) { return Cell(row.one.read); }},
    {{"tokens", "tokens in `held` that were paid for again", Role::tokens, true},
     [](const RebuildRow& row) { return Cell(row.one.tokens()); }},
    {{"paid_usd", "price paid for these tokens; absent: unknown", CellKind::number},
     [](const RebuildRow& row) { return dollars(row.one.paid); }},
    {{"cost_usd", "part of that price that cache reads would have saved", Role::cost},
     [](const RebuildRow& row) { return dollars(row.one.cost); }},
    {{"pause_ms", "time since the start of the previous call", CellKind::milliseconds},
     [](const RebuildRow& row) { return known(row.one.pause); }},
    {{"cache_life_ms", "how long the cache is kept after its last use", CellKind::milliseconds},
     [](const RebuildRow& row) { return known(row.one.life); }},
};

constexpr Column kAgainCostColumn{"again_cost_usd", "cost for the later calls", CellKind::number};

struct CarriedRow {
  const Stats& stats;
  const CarriedResult& one;
  const ToolUse& use;

  Cell exact(Cell cell) const { return one.is_estimated ? Cell() : cell; }
  Cell about(Cell cell) const { return one.is_estimated ? cell : Cell(); }
};

constexpr Field<CarriedRow> kCarried[] = {
    {{"tool", "", CellKind::text},
     [](const CarriedRow& row) { return known(row.stats.calls->names.text(row.use.name)); }},
    {{"target", "file or URL; the first if there are several", CellKind::text},
     [](const CarriedRow& row) {
       const CallScene& calls = *row.stats.calls;
       return known(shown_target(row.stats.question.door, calls.names, row.use));
     }},
    {kTargetsColumn,
     [](const CarriedRow& row) {
       const CallScene& calls = *row.stats.calls;
       return several_targets(calls.graph.trace(), calls.names, row.use, calls.arena);
     }},
    {{"turn", "", CellKind::text, true},
     [](const CarriedRow& row) {
       return Cell(row.stats.turn(row.stats.account->turn_of[row.one.reader.index]));
     }},
    {{"reader", "first call that read the result", CellKind::text, true},
     [](const CarriedRow& row) { return Cell(row.stats.calls->names.id(row.one.reader)); }},
    {{"at", "", CellKind::text, true},
     [](const CarriedRow& row) { return Cell(row.stats.calls->names.at(row.one.reader)); }},
    {{"tokens",
      "tokens of the result: the increase in tokens sent from the previous call to the reader, "
      "minus the reply in between",
      Role::tokens},
     [](const CarriedRow& row) { return row.exact(row.one.tokens); }},
    {{"tokens_estimated",
      "tokens estimated from text lengths, because several results arrived at once or the reply "
      "has no token count",
      CellKind::integer},
     [](const CarriedRow& row) { return row.about(row.one.tokens); }},
    {{"again", "later calls that resent the result", CellKind::integer, true},
     [](const CarriedRow& row) { return Cell(row.one.again); }},
    {{"cost_usd", "cost for the first reader", Role::cost},
     [](const CarriedRow& row) { return row.exact(dollars(row.one.first_cost)); }},
    {kAgainCostColumn,
     [](const CarriedRow& row) { return row.exact(dollars(row.one.again_cost)); }},
    {{"cost_usd_estimated", "", CellKind::number},
     [](const CarriedRow& row) { return row.about(dollars(row.one.first_cost)); }},
    {{"again_cost_usd_estimated", "", CellKind::number},
     [](const CarriedRow& row) { return row.about(dollars(row.one.again_cost)); }},
};

struct BroughtRow {
  const Stats& stats;
  const BroughtSum& sum;
};

constexpr Field<BroughtRow> kBrought[] = {
    {{"tool", "", CellKind::text},
     [](const BroughtRow& row) { return known(row.stats.name(row.sum.tool)); }},
    {{"results", "results with a known or estimated token count", CellKind::integer, true},
     [](const BroughtRow& row) { return Cell(row.sum.results); }},
    {{"estimated", "results estimated from text lengths; included only in the estimated sums",
      CellKind::integer, true},
     [](const BroughtRow& row) { return Cell(row.sum.estimated); }},
    {{"left_out",
      "results without a token count, e.g. because a summary replaced them or no request sent "
      "them; no other figure includes them",
      CellKind::integer},
     [](const BroughtRow& row) { return some(row.sum.left_out); }},
    {{"tokens", "tokens of these results", Role::tokens},
     [](const BroughtRow& row) { return some(row.sum.exact.tokens); }},
    {{"tokens_again", "tokens of each result times the number of later calls that resent it",
      CellKind::integer},
     [](const BroughtRow& row) { return some(row.sum.exact.again); }},
    {{"cost_usd", "cost for the first readers", Role::cost},
     [](const BroughtRow& row) { return paid_for(row.sum.exact, row.sum.exact.cost); }},
    {kAgainCostColumn,
     [](const BroughtRow& row) { return paid_for(row.sum.exact, row.sum.exact.again_cost); }},
    {{"tokens_estimated", "", CellKind::integer},
     [](const BroughtRow& row) { return some(row.sum.about.tokens); }},
    {{"tokens_again_estimated", "", CellKind::integer},
     [](const BroughtRow& row) { return some(row.sum.about.again); }},
    {{"cost_usd_estimated", "", CellKind::number},
     [](const BroughtRow& row) { return paid_for(row.sum.about, row.sum.about.cost); }},
    {{"again_cost_usd_estimated", "", CellKind::number},
     [](const BroughtRow& row) { return paid_for(row.sum.about, row.sum.about.again_cost); }},
};

Table kind_table(const Stats& stats) {
  Table table = table_of<kBill>("bill");
  const int64_t all = bill_of(stats).usage.cost;
  for (const BillLine& line : bill_lines(stats))
    add_fields(kBill, {line.kind, line.tokens, line.cost, all}, table);
  return table;
}

}  // namespace

Cell paid_for(const BroughtSum::Of& sum, int64_t cost) {
  return sum.tokens > 0 && sum.unpriced == 0 ? dollars(cost) : Cell();
}

void add_bill_tables(const Stats& stats, Document& document) {
  document.add(kind_table(stats));
  if (stats.account == nullptr) return;
  const CallAccount& account = *stats.account;
  Table turns = table_of<kTurns>("turns");
  for (const TurnSum& turn : account.turns) add_fields(kTurns, {stats, turn}, turns);
  document.add(std::move(turns));
  Table subagents = table_of<kSubagents>("subagents");
  for (const SubagentSum& one : account.subagents) add_fields(kSubagents, {stats, one}, subagents);
  document.add(std::move(subagents));
  Table expensive = table_of<kExpensive>("expensive_calls");
  for (const ExpensiveCall& one : account.expensive)
    add_fields(kExpensive, {stats, one, account.of(one.call)}, expensive);
  document.add(std::move(expensive));
  Table rebuilds = table_of<kRebuilds>("cache_rebuilds");
  for (const CacheRebuild& one : account.rebuilds)
    add_fields(kRebuilds, {stats, one, stats.arena}, rebuilds);
  document.add(std::move(rebuilds));
  const Trace& trace = stats.question.graph.trace();
  Table carried = table_of<kCarried>("carried_results");
  for (const CarriedResult& one : account.carried)
    add_fields(kCarried, {stats, one, trace.tool_uses[one.use.index]}, carried);
  document.add(std::move(carried));
  Table brought = table_of<kBrought>("tool_tokens");
  for (const BroughtSum& sum : account.brought) add_fields(kBrought, {stats, sum}, brought);
  document.add(std::move(brought));
}

std::vector<Section> bill_sections() {
  return {table_of<kBill>("bill"),
          table_of<kTurns>("turns"),
          table_of<kSubagents>("subagents"),
          table_of<kExpensive>("expensive_calls"),
          table_of<kRebuilds>("cache_rebuilds"),
          table_of<kCarried>("carried_results"),
          table_of<kBrought>("tool_tokens")};
}

}  // namespace xtrace
