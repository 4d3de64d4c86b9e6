#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "link/graph/graph.h"
#include "view/common/field.h"
#include "view/common/words.h"
#include "view/stats/stats.h"

namespace xtrace {

namespace {

/// Usage that a record states, and how the ledger counted it.
struct Statement {
  Extent at;
  std::string_view scope, form, model;
  Tokens tokens;
  int64_t cost = kNoCount;
  bool counts_in_part = false;
  std::string_view reason;
  int64_t credits = kNoCount;  ///< in billionths of one
};

struct StatementRow {
  const Statement& stated;
  const Names& names;
};

// Why a record counts not at all or in part; those that were set aside have kSetAsideWords.
constexpr std::string_view kSameCall = "same_call", kCallsCount = "calls_count",
                           kBeyondCalls = "beyond_calls", kNoPrice = "no_price";

constexpr Field<StatementRow> kStatementFields[] = {
    {{"at", "record that states the usage", CellKind::text, true},
     [](const StatementRow& r) -> Cell { return r.names.at(r.stated.at); }},
    {{"scope", "scope of the record: call, span, turn, agent or session", CellKind::text, true},
     [](const StatementRow& r) -> Cell { return Door::own(r.stated.scope); }},
    {{"form", "piece: since the previous record; running_total: since the beginning; or total",
      CellKind::text, true},
     [](const StatementRow& r) -> Cell { return Door::own(r.stated.form); }},
    {{"model", "", CellKind::text},
     [](const StatementRow& r) -> Cell { return known(r.names.text(r.stated.model)); }},
    {{"tokens.input", "uncached input tokens", Role::input},
     [](const StatementRow& r) -> Cell { return known(r.stated.tokens.input); }},
    {{"tokens.output", "", Role::output},
     [](const StatementRow& r) -> Cell { return known(r.stated.tokens.output); }},
    {{"tokens.cache_read", "", CellKind::integer},
     [](const StatementRow& r) -> Cell { return known(r.stated.tokens.cache_read); }},
    {{"tokens.cache_creation", "", CellKind::integer},
     [](const StatementRow& r) -> Cell { return known(r.stated.tokens.cache_creation); }},
    {{"cost_usd", "cost in dollars, as recorded", Role::cost},
     [](const StatementRow& r) -> Cell { return dollars(r.stated.cost); }},
    {{"credits", "credits of the agent's vendor, as recorded", CellKind::number},
     [](const StatementRow& r) -> Cell { return dollars(r.stated.credits); }},
    {{"counted", "no, or in_part: the table `unplaced` lists the excess over its calls",
      CellKind::text, true},
     [](const StatementRow& r) -> Cell {
       return r.stated.counts_in_part ? Text("in_part") : Text("no");
     }},
    {{"reason",
      "superseded: a later running total includes it; repeated: an equal record exists; same_call: "
      "another record of the call counts; calls_count: equal to the sum of its calls; "
      "beyond_calls: more than the sum of its calls; no_price: credits without a known price in "
      "dollars",
      CellKind::text, true},
     [](const StatementRow& r) -> Cell { return Door::own(r.stated.reason); }},
};

std::string_view reason_of(const UsageStatement& stated, bool is_beyond) {
  if (!stated.counts()) return kSetAsideWords[static_cast<size_t>(stated.set_aside)];
  if (stated.credits >= 0 && stated.cost < 0 && total_of(stated.tokens) < 0) return kNoPrice;
  return is_beyond ? kBeyondCalls : kCallsCount;
}

std::vector<Statement> read_statements(const Graph& graph) {
  const Trace& trace = graph.trace();
  const Activities& activities = graph.activities();
  std::set<std::pair<uint32_t, uint64_t>> beyond;  // places of records
  for (const UnplacedUsage& row : activities.ledger.unplaced)
    beyond.emplace(row.at.file, row.at.offset);
  std::vector<Statement> statements;
  for (const UsageStatement& stated : trace.usage_statements) {
    if (stated.form == UsageStatement::Form::rest) continue;
    const bool is_beyond =
        stated.counts() && beyond.contains({stated.source.file, stated.source.offset});
    statements.push_back({stated.source, kStatementScopeWords[static_cast<size_t>(stated.scope)],
                          kStatementFormWords[static_cast<size_t>(stated.form)],
                          trace[stated.model], stated.tokens, stated.cost, is_beyond,
                          reason_of(stated, is_beyond), stated.credits});
  }
  for (size_t i = 0; i < graph.hops().all.size(); ++i) {
    const HopId id(i);
    const Activity& done = activities.of(id);
    const bool states = total_of(done.tokens) >= 0 || (done.cost >= 0 && done.cost_is_recorded);
    if (!states || done.counts_usage()) continue;
    const bool is_call = done.kind == Activity::Kind::model_call;
    const bool is_beyond = !is_call && activities.ledger.of(id) != nullptr;
    statements.push_back({graph.hops()[id].at, is_call ? "call" : "span", kStatementFormWords[2],
                          done.model, done.tokens, done.cost_is_recorded ? done.cost : kNoCount,
                          is_beyond,
                          is_call     ? kSameCall
                          : is_beyond ? kBeyondCalls
                                      : kCallsCount});
  }
  return statements;
}

}  // namespace

Table statements_table(const Graph& graph, const Names& names) {
  Table table{"statements", statements_columns()};
  for (const Statement& stated : read_statements(graph))
    add_fields(kStatementFields, {stated, names}, table);
  return table;
}

std::span<const Column> statements_columns() {
  return columns_of<kStatementFields>();
}

}  // namespace xtrace
