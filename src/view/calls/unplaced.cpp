#include "view/calls/unplaced.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/count.h"
#include "link/calls/session_names.h"
#include "view/calls/costs.h"
#include "view/common/words.h"
#include "view/hops/hop_scene.h"

namespace xtrace {

namespace {

/// Sessions and agents of which a filter hides a call. Looks at the sessions that are asked for.
class HiddenParts {
 public:
  HiddenParts(const Graph& graph, const Selection& selection)
      : graph_(graph), selection_(selection) {}

  bool hides(const UnplacedUsage& row) {
    if (row.session == 0) return any();
    const std::set<std::string_view>& agents = hidden_in(row.session);
    return row.stated_by == UnplacedUsage::StatedBy::agent ? agents.contains(row.agent)
                                                           : !agents.empty();
  }
  bool any() {
    if (!any_)
      any_ = std::ranges::any_of(graph_.sessions(), [&](const Session& session) {
        return std::ranges::any_of(session.calls, [&](CallId id) { return is_hidden(id); });
      });
    return *any_;
  }

 private:
  bool is_hidden(CallId id) const {
    return !selection_.shows(id) && graph_.trace()[id].outcome != Outcome::unrecorded;
  }
  /// The agents of hidden calls of a session, by its number.
  const std::set<std::string_view>& hidden_in(uint32_t session) {
    const auto [at, is_new] = agents_.try_emplace(session);
    if (is_new)
      for (CallId id : graph_.sessions()[session - 1].calls)
        if (is_hidden(id)) at->second.insert(graph_.trace()[graph_.trace()[id].agent]);
    return at->second;
  }

  const Graph& graph_;
  const Selection& selection_;
  std::map<uint32_t, std::set<std::string_view>> agents_;
  std::optional<bool> any_;
};

/// What calls use up that spans state and no log does, by run and model.
std::vector<UnplacedRow> calls_of_spans(const Graph& graph) {
  std::vector<UnplacedRow> rows;
  std::map<std::pair<uint32_t, std::string_view>, size_t> places;
  const Activities& activities = graph.activities();
  for (size_t i = 0; i < graph.hops().all.size(); ++i) {
    const HopId id(i);
    const Activity& done = activities.of(id);
    if (!done.counts_usage()) continue;
    const auto [at, is_new] = places.try_emplace({graph.hops()[id].run, done.model}, rows.size());
    if (is_new) {
      UnplacedUsage& usage = rows.emplace_back().usage;
      usage.hop = id;
      usage.at = graph.hops()[id].at;
      usage.model = done.model;
      usage.provider = done.provider;
      usage.time = done.start;
    }
    UnplacedRow& row = rows[at->second];
    const Usage own = usage_of(done);
    Usage sum = usage_of(row.usage);
    sum.add(own);
    row.usage.tokens = sum.tokens;
    row.usage.cost = sum.cost;
    row.usage.cost_is_recorded |= done.cost_is_recorded;
    row.usage.is_unpriced |= done.is_unpriced;
    row.usage.cost_is_partial |= done.cost_is_partial;
    ++row.calls;
    row.errors += done.outcome == Outcome::error;
    row.unknown += !is_known(done.outcome);
    row.retries += bool{done.retry_of};
  }
  return rows;
}

struct UnplacedField {
  const UnplacedRow& row;
  const Graph& graph;
  const Names& names;

  const Tokens& tokens() const { return row.usage.tokens; }
};

Cell unplaced_name(const UnplacedField& row, std::string_view name) {
  return known(row.names.text(name));
}

constexpr Field<UnplacedField> kUnplacedHead[] = {
    {{"at", "record that states the usage", CellKind::text, true},
     [](const UnplacedField& r) -> Cell { return r.names.at(r.row.usage.at); }},
    {{"stated_by",
      "what this usage record covers: span (a span that encloses calls, or a call that only a span "
      "records), turn, agent or session",
      CellKind::text, true},
     [](const UnplacedField& r) -> Cell {
       return Door::own(kStatedByWords[static_cast<size_t>(r.row.usage.stated_by)]);
     }},
    {{"session", "", CellKind::text},
     [](const UnplacedField& r) -> Cell {
       const UnplacedUsage& usage = r.row.usage;
       if (usage.session > 0) return Cell(r.names.session(r.graph.sessions()[usage.session - 1]));
       return unplaced_name(r, r.graph.trace()[usage.session_id]);
     }},
    {{"agent", "", CellKind::text},
     [](const UnplacedField& r) -> Cell { return unplaced_name(r, r.row.usage.agent); }},
    {{"model", "", CellKind::text},
     [](const UnplacedField& r) -> Cell { return unplaced_name(r, r.row.usage.model); }},
    {{"calls", "model calls that only spans record", CellKind::integer},
     [](const UnplacedField& r) -> Cell { return some(r.row.calls); }},
    {{"errors", "failed calls among `calls`", Role::errors},
     [](const UnplacedField& r) -> Cell { return some(r.row.errors); }},
    {{"unknown", "calls without a recorded outcome among `calls`", CellKind::integer},
     [](const UnplacedField& r) -> Cell { return some(r.row.unknown); }},
    {{"retries", "retries among `calls`", CellKind::integer},
     [](const UnplacedField& r) -> Cell { return some(r.row.retries); }},
};
constexpr Field<UnplacedField> kUnplacedCosts[] = {
    {{"cost_usd", "cost; negative if the record states less than the summed prices of its calls",
      Role::cost},
     [](const UnplacedField& r) -> Cell {
       const UnplacedUsage& usage = r.row.usage;
       if (usage.uncharged > 0) return Dollars{usage.charged()};
       return dollars(usage.cost);
     }},
    {{"cost_from", "log: recorded; table: computed from tokens and the price list", CellKind::text},
     [](const UnplacedField& r) -> Cell {
       const UnplacedUsage& usage = r.row.usage;
       if (usage.cost < 0 && usage.uncharged == 0) return {};
       return usage.cost_is_recorded || usage.uncharged > 0 ? Text("log") : Text("table");
     }},
    {{"cost_is_partial",
      "true if the real cost is higher, because a fee, a price or a count is unknown",
      CellKind::boolean},
     [](const UnplacedField& r) -> Cell { return if_true(r.row.usage.cost_is_partial); }},
    {{"unpriced", "true if the cost is unknown", CellKind::boolean},
     [](const UnplacedField& r) -> Cell { return if_true(r.row.usage.is_unpriced); }},
};
constexpr auto kUnplacedFields =
    joined_fields(kUnplacedHead, fields_in<&UnplacedField::tokens, kTokens>, kUnplacedCosts);

}  // namespace

std::vector<UnplacedRow> unplaced_in(const Graph& graph, const Selection& selection) {
  HiddenParts hidden(graph, selection);
  std::vector<UnplacedRow> rows;
  for (const UnplacedUsage& usage : graph.activities().ledger.unplaced)
    if (!hidden.hides(usage)) rows.push_back({usage});
  if (hidden.any()) return rows;
  const std::vector<UnplacedRow> more = calls_of_spans(graph);
  rows.insert(rows.end(), more.begin(), more.end());
  return rows;
}

std::vector<UnplacedRow> unplaced_in(const HopScene& scene) {
  std::vector<UnplacedRow> rows;
  const bool is_whole = scene.selection.hidden.nodes == 0;
  for (const UnplacedUsage& usage : scene.question.graph.activities().ledger.unplaced)
    if (usage.hop ? scene.selection.shows(usage.hop) : is_whole) rows.push_back({usage});
  return rows;
}

bool is_of_uncovered_run(const UnplacedUsage& usage, const Graph& graph) {
  return usage.hop && !graph.partners().covers_run[graph.hops()[usage.hop].run];
}

Usage usage_of(const UnplacedUsage& row) {
  Usage usage;
  usage.tokens = row.tokens;
  usage.cost = row.cost;
  usage.uncharged = row.uncharged;
  usage.unpriced = row.is_unpriced - row.settles_unpriced;
  usage.partly = row.cost_is_partial - row.settles_partly;
  usage.low = -row.settles_low;
  return usage;
}

std::span<const Column> unplaced_columns() {
  return columns_of<kUnplacedFields>();
}

Table unplaced_table(std::span<const UnplacedRow> rows, const Graph& graph, const Names& names) {
  Table table = table_of<kUnplacedFields>("unplaced");
  for (const UnplacedRow& row : rows) add_fields(kUnplacedFields, {row, graph, names}, table);
  return table;
}

std::string unplaced_words(std::span<const UnplacedRow> rows) {
  Usage sum;
  std::set<UnplacedUsage::StatedBy> by;
  for (const UnplacedRow& row : rows) {
    const UnplacedUsage& usage = row.usage;
    const bool has_any = total_of(usage.tokens) > 0 || usage.cost > 0 || usage.uncharged > 0;
    if (row.calls > 0 || !has_any) continue;
    sum.add(usage_of(usage));
    by.insert(usage.stated_by);
  }
  if (by.empty()) return {};
  std::string words;
  if (const int64_t sent = tokens_sent(sum.tokens); sent > 0)
    words = show_count(sent) + " input tokens";
  if (sum.tokens.output > 0)
    words = join_notes(words, show_count(sum.tokens.output) + " output tokens");
  if (sum.cost > 0) words = join_notes(words, show_dollars({sum.cost}));
  if (sum.uncharged > 0) words = join_notes(words, "-" + show_dollars({sum.uncharged}));
  std::string whose;
  for (UnplacedUsage::StatedBy one : by)
    whose = join_notes(std::move(whose),
                       one == UnplacedUsage::StatedBy::span
                           ? std::string("enclosing spans")
                           : fmt::format("{} totals", kStatedByWords[static_cast<size_t>(one)]));
  return fmt::format("usage outside the recorded calls: {} (from {})", words, whose);
}

}  // namespace xtrace
