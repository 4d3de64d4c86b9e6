#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "link/graph/graph.h"
#include "link/ledger/amounts.h"
#include "link/ledger/settle_money.h"
#include "prices/model_maker.h"
#include "prices/model_name.h"

namespace xtrace {

namespace {

using Scope = UsageStatement::Scope;
constexpr Scope kScopes[] = {Scope::turn, Scope::agent, Scope::session};

/// What the calls that a record covers state, of one model.
struct Covered {
  std::string_view model;  ///< as the log has it
  Tokens tokens;
  PartsMoney money;
  int64_t uncounted = 0;  ///< calls that state no tokens and are not priced
  int64_t low = 0;

  void add(const Covered& more) {
    if (model.empty()) model = more.model;
    add_tokens(tokens, more.tokens);
    money.add(more.money);
    uncounted += more.uncounted;
    low += more.low;
  }
};

/// One record of a log, with a row for each model that it states usage of.
struct StatingRecord {
  std::vector<const UsageStatement*> rows;
  std::map<std::string, Covered> by_model;  ///< by plain name; empty: not known
  Time last = kNoTime;                      ///< start of the last call that it covers

  const UsageStatement& first() const { return *rows.front(); }
};

/// Calls are covered by a record by where they are in its file: behind what it counts from, and
/// before it. Records of one key do not overlap.
struct StreamKey {
  StringId session;
  Scope scope = Scope::session;
  StringId agent;
  auto operator<=>(const StreamKey&) const = default;
};

class StatementSettler {
 public:
  StatementSettler(const Graph& graph, Activities& activities)
      : graph_(graph), trace_(graph.trace()), activities_(activities) {}

  void settle() {
    if (trace_.usage_statements.empty()) return;
    collect();
    for (const UsageStatement* rest : rests_) add_rest(*rest);
    for (CallId id : graph_.timeline().in_order()) cover(id);
    for (Scope scope : kScopes)
      for (auto& [key, records] : streams_)
        if (key.scope == scope)
          for (StatingRecord& record : records) settle(key, record);
  }

 private:
  void collect() {
    for (const Session& session : graph_.sessions())
      if (session.id) number_of_.emplace(session.id.index, session.number);
    for (CallId id : graph_.timeline().in_order())
      has_calls_.insert({trace_[id].source.file, graph_.session_of(id).id});
    std::map<std::tuple<StreamKey, uint32_t, uint64_t>, std::vector<const UsageStatement*>> records;
    for (const UsageStatement& statement : trace_.usage_statements)
      if (statement.form == UsageStatement::Form::rest)
        rests_.push_back(&statement);
      else if (statement.set_aside == UsageStatement::SetAside::no)
        records[{{statement.session, statement.scope, statement.agent},
                 statement.source.file,
                 statement.source.offset}]
            .push_back(&statement);
    for (auto& [key, rows] : records)
      streams_[std::get<StreamKey>(key)].emplace_back().rows = std::move(rows);
  }

  // --- which record covers a call ----------------------------------------------------------------

  bool is_in_lines(const Extent& at) const {
    return at.line > 0 && !trace_.sources[at.file].is_document;
  }

  /// Order of records in a file. A line may hold a whole run, and what that used up.
  uint64_t place_of(const Extent& at) const { return is_in_lines(at) ? at.line : at.offset; }

  bool covers(const StatingRecord& record, const Extent& at) const {
    const UsageStatement& stated = record.first();
    const bool is_of_own_file = stated.form == UsageStatement::Form::piece &&
                                has_calls_.contains({stated.source.file, stated.session});
    if (is_of_own_file && stated.source.file != at.file) return false;
    const bool are_ordered =
        stated.source.file == at.file && is_in_lines(at) && is_in_lines(stated.source);
    if (!are_ordered) return true;
    const bool is_behind = stated.since.length == 0 || place_of(at) > place_of(stated.since);
    return is_behind && place_of(at) <= place_of(stated.source);
  }

  /// The record of a stream that covers what is at a place; nullptr: none does. A total that is
  /// stated once covers all; so does the last record what is in other files, unless it only states
  /// what came since another one in its own file.
  StatingRecord* covering(std::vector<StatingRecord>& records, const Extent& at) const {
    if (records.size() == 1 && records[0].first().form == UsageStatement::Form::total)
      return &records[0];
    const auto next =
        std::partition_point(records.begin(), records.end(), [&](const StatingRecord& record) {
          const Extent& stated = record.first().source;
          return std::pair(stated.file, place_of(stated)) < std::pair(at.file, place_of(at));
        });
    const bool is_in_file = next != records.end() && next->first().source.file == at.file;
    StatingRecord& record = is_in_file ? *next : records.back();
    return covers(record, at) ? &record : nullptr;
  }

  /// A statement of an agent that names none is the main agent's.
  template <class Each>
  void each_covering(StringId session, StringId agent, bool is_main, const Extent& at,
                     Scope smallest, Each each) {
    for (Scope scope : kScopes) {
      if (scope < smallest) continue;
      std::vector<StringId> agents;
      if (is_main || scope != Scope::agent) agents.push_back({});
      if (agent) agents.push_back(agent);
      for (StringId of : agents)
        if (const auto found = streams_.find({session, scope, of}); found != streams_.end())
          if (StatingRecord* record = covering(found->second, at)) each(*record);
    }
  }

  void cover(CallId id) {
    const Activity& done = activities_.of(id);
    if (!done.is_recorded()) return;
    const Call& call = trace_[id];
    Covered own;
    own.model = done.model;
    own.tokens = done.tokens;
    own.money.add_part(done);
    own.uncounted = done.is_unpriced && total_of(done.tokens) < 0;
    own.low = done.output_is_low;
    each_covering(graph_.session_of(id).id, call.agent, !call.in_subagent, call.source, kScopes[0],
                  [&](StatingRecord& record) {
                    record.by_model[plain(done.model)].add(own);
                    record.last = std::max(record.last, call.start);
                  });
  }

  /// A row that a smaller scope left is a part of the larger ones.
  void cover(const UnplacedUsage& row, const StreamKey& key, const Extent& at) {
    Covered part;
    part.model = row.model;
    part.tokens = row.tokens;
    part.money.add_part(row);
    if (row.uncharged > 0) part.money.computed = at_least_none(part.money.computed) - row.uncharged;
    part.uncounted = -row.settles_unpriced;
    part.money.unpriced -= row.settles_unpriced;
    part.money.partly -= row.settles_partly;
    part.money.half_counted -= row.settles_partly;
    part.low = -row.settles_low;
    const Scope larger = static_cast<Scope>(static_cast<uint8_t>(key.scope) + 1);
    each_covering(key.session, key.agent, !key.agent, at, larger,
                  [&](StatingRecord& record) { record.by_model[plain(row.model)].add(part); });
  }

  // --- what a record states beyond them
  // ------------------------------------------------------------

  static std::string plain(std::string_view model) {
    const std::string name = plain_model(model.substr(0, model.find('[')));
    return name.empty() ? std::string(model) : name;
  }

  void settle(const StreamKey& key, StatingRecord& record) {
    Covered all;
    std::string_view only_model;
    bool has_models = false;
    for (const auto& [model, covered] : record.by_model) {
      all.add(covered);
      if (model.empty()) continue;
      has_models |= !only_model.empty();
      only_model = covered.model;
    }
    const bool names_models = std::any_of(
        record.rows.begin(), record.rows.end(),
        [](const UsageStatement* row) { return row->model && total_of(row->tokens) >= 0; });
    const size_t named = static_cast<size_t>(
        std::count_if(record.rows.begin(), record.rows.end(),
                      [](const UsageStatement* row) { return static_cast<bool>(row->model); }));
    PartsMoney money = all.money;
    std::vector<UnplacedUsage> found;
    int64_t total = kNoCount;
    for (const UsageStatement* stated : record.rows) {
      if (!stated->model && stated->cost >= 0) total = stated->cost;
      if (!stated->model && (names_models || total_of(stated->tokens) < 0)) continue;
      UnplacedUsage row = begin_row(record, *stated);
      if (row.model.empty() && !has_models) row.model = only_model;
      row.provider = maker_of(row.model);
      // Calls that name no model are of the only one that the record names.
      Covered parts = !stated->model || named == 1 ? all : record.by_model[plain(row.model)];
      const bool has_money = stated->model && stated->cost >= 0;
      settle_row(*stated, has_money, parts, row);
      if (has_money) {
        money.replace(parts.money,
                      settle_money(stated->cost, parts.money, row, activities_.ledger));
      } else {
        if (total_of(row.tokens) > 0) money.add_part(row);
        money.unpriced -= row.settles_unpriced;
        money.partly -= row.settles_partly;
      }
      found.push_back(row);
    }
    if (total >= 0) settle_total(record, total, money, found);
    for (const UnplacedUsage& row : found) {
      if (!row.states_any()) continue;
      cover(row, key, row.at);
      activities_.ledger.unplaced.push_back(row);
    }
  }

  UnplacedUsage begin_row(const UsageStatement& stated) const {
    UnplacedUsage row;
    row.stated_by = stated.scope == Scope::turn    ? UnplacedUsage::StatedBy::turn
                    : stated.scope == Scope::agent ? UnplacedUsage::StatedBy::agent
                                                   : UnplacedUsage::StatedBy::session;
    row.at = stated.source;
    row.session_id = stated.session;
    if (const auto session = number_of_.find(stated.session.index); session != number_of_.end())
      row.session = session->second;
    row.agent = trace_[stated.agent];
    row.model = trace_[stated.model];
    row.provider = maker_of(row.model);
    row.time = stated.time;
    return row;
  }
  UnplacedUsage begin_row(const StatingRecord& record, const UsageStatement& stated) const {
    UnplacedUsage row = begin_row(stated);
    if (record.last != kNoTime) row.time = record.last;
    return row;
  }

  /// A converted log has settled it.
  void add_rest(const UsageStatement& rest) {
    UnplacedUsage row = begin_row(rest);
    row.tokens = rest.tokens;
    row.tokens.most_sent = kSeveralCalls;
    row.cost = rest.cost;
    row.cost_is_recorded = rest.cost >= 0 && !rest.cost_is_computed;
    row.is_unpriced = rest.is_unpriced;
    row.uncharged = rest.uncharged;
    row.cost_is_partial = rest.cost_is_partial;
    row.settles_unpriced = rest.settles_unpriced;
    row.settles_partly = rest.settles_partly;
    row.settles_low = rest.settles_low;
    activities_.ledger.unplaced.push_back(row);
  }

  /// `has_money`: its own money settles that of its parts.
  void settle_row(const UsageStatement& stated, bool has_money, Covered& parts,
                  UnplacedUsage& row) const {
    if (total_of(stated.tokens) < 0) return;
    const Tokens rest = beyond(stated.tokens, parts.tokens);
    if (total_of(rest) > 0) {
      row.tokens = rest;
      row.take(compute_cost(graph_.prices(), row.model, rest, row.time));
    }
    if (!is_complete(stated.tokens)) return;
    row.settles_low = parts.low;
    if (has_money) return;
    row.settles_unpriced = parts.uncounted;
    settle_half_counted(parts.money, row);
  }

  /// The money of a record that states it for all its models together.
  void settle_total(const StatingRecord& record, int64_t total, const PartsMoney& money,
                    std::vector<UnplacedUsage>& found) {
    UnplacedUsage row = begin_row(record, record.first());
    row.model = {};
    PartsMoney parts = money;
    // Tokens and money are one row where there is only one.
    const bool is_only =
        found.size() == 1 && total_of(found.front().tokens) > 0 && !found.front().cost_is_recorded;
    if (is_only) {
      row = std::exchange(found.front(), {});
      PartsMoney own;
      own.add_part(row);
      parts.replace(own, {});
    }
    settle_money(total, parts, row, activities_.ledger);
    row.is_unpriced = false;
    for (UnplacedUsage& other : found) {  // their cost is in this row
      row.settles_unpriced -= std::exchange(other.is_unpriced, false);
      row.settles_partly -= std::exchange(other.cost_is_partial, false);
    }
    if (is_only)
      found.front() = row;
    else
      found.push_back(row);
  }

  const Graph& graph_;
  const Trace& trace_;
  Activities& activities_;
  std::map<StreamKey, std::vector<StatingRecord>>
      streams_;                                        ///< records in the order of their files
  std::unordered_map<uint32_t, uint32_t> number_of_;   ///< of a session, by id
  std::set<std::pair<uint32_t, StringId>> has_calls_;  ///< files and sessions
  std::vector<const UsageStatement*> rests_;
};

}  // namespace

void settle_statements(const Graph& graph, Activities& activities) {
  StatementSettler(graph, activities).settle();
}

}  // namespace xtrace
