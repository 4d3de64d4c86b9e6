#include <algorithm>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>

#include "base/lower.h"
#include "base/walk_up.h"
#include "facts/row_or_empty.h"
#include "link/graph/graph.h"
#include "link/ledger/amounts.h"
#include "link/ledger/settle_money.h"
#include "prices/model_maker.h"
#include "prices/model_name.h"

namespace xtrace {

namespace {

/// A call below a span, as far as no span in between is the same call.
struct CallBelow {
  ActivityId call;
  bool is_direct = true;  ///< no agent and no tool is in between
};

/// What the spans below one use up, each call once.
struct Below {
  Tokens tokens;
  PartsMoney money;
  std::vector<CallBelow> calls;  ///< the first kMostCompared
  size_t call_count = 0;
  int64_t uncounted = 0;  ///< calls that state no tokens and are not priced
  /// Calls that state their cost and no tokens: tokens that a span states beyond the calls below it
  /// are theirs, and paid for.
  int64_t paid_uncounted = 0;
  int64_t low = 0;  ///< calls whose output is a lower bound
  std::string_view model;
  bool has_models = false;  ///< several
  ActivityId any;           ///< one that states usage
  bool is_timed = true;     ///< times show that it is a part of what is around it

  static constexpr size_t kMostCompared = 64;

  void add_model(std::string_view name) {
    has_models |= !model.empty() && !name.empty() && model != name;
    if (model.empty()) model = name;
  }
  void add(Below&& more) {
    if (more.calls.size() > calls.size()) std::swap(calls, more.calls);
    for (const CallBelow& call : more.calls)
      if (calls.size() < kMostCompared) calls.push_back(call);
    add_tokens(tokens, more.tokens);
    money.add(more.money);
    call_count += more.call_count;
    uncounted += more.uncounted;
    paid_uncounted += more.paid_uncounted;
    low += more.low;
    add_model(more.model);
    has_models |= more.has_models;
    is_timed &= more.is_timed;
    if (!any) any = more.any;
  }
};

bool states_tokens(const Activity& done) {
  return total_of(done.tokens) >= 0;
}

/// May a name go on with nothing that makes it another model's?
bool is_edition(std::string_view rest) {
  return is_decoration(rest) || rest.starts_with("-preview") || rest.starts_with("-exp");
}

/// One may name what was asked for, the other what answered, and gateways have names of their own:
/// only the names of two models that are known prove that these differ.
bool may_be_one_model(std::string_view one, std::string_view other) {
  if (one == other || maker_of(one).empty() || maker_of(other).empty()) return true;
  const std::string a = plain_model(one), b = plain_model(other);
  auto is_word_end = [](const std::string& name, size_t at) {
    return at == name.size() || std::string_view("-@:[").find(name[at]) != std::string_view::npos;
  };
  size_t same = 0;
  while (same < std::min(a.size(), b.size()) && a[same] == b[same]) ++same;
  while (same > 0 && !(is_word_end(a, same) && is_word_end(b, same))) --same;
  return is_edition(std::string_view(a).substr(same)) &&
         is_edition(std::string_view(b).substr(same));
}

class SpanSettler {
 public:
  SpanSettler(const Graph& graph, Activities& activities)
      : graph_(graph), trace_(graph.trace()), hops_(graph.hops()), activities_(activities) {}

  void settle() {
    if (std::none_of(hops_.all.begin(), hops_.all.end(),
                     [&](const Hop& hop) { return has_usage(hop); }))
      return;
    find_holders();
    std::vector<uint32_t> open(hops_.all.size());  // spans below that are not settled yet
    for (const HopId above : holder_)
      if (above) ++open[above.index];
    std::vector<HopId> ready;
    for (size_t i = 0; i < open.size(); ++i)
      if (open[i] == 0) ready.emplace_back(i);
    for (size_t next = 0; next < ready.size(); ++next) {
      const HopId id = ready[next], above = holder_[id.index];
      Below all = settle(id);
      if (!above) continue;
      pass_up(id, std::move(all), above);
      if (--open[above.index] == 0) ready.push_back(above);
    }
    activities_.ledger.order_by_hop();
  }

 private:
  Activity& of(HopId id) { return activities_.all[activities_.of_hop[id.index].index]; }
  const Span& span_of(HopId id) const { return row_or_empty(trace_, hops_[id].span); }
  bool has_usage(const Hop& hop) const {
    return static_cast<bool>(row_or_empty(trace_, hop.span).gen_ai);
  }
  HopId parent_of(HopId id) const {
    const Hop& hop = hops_[id];
    if (hop.parent) return hop.parent;
    return is_recorded(hop) && hop.rule != Rule::follows_from ? hop.cause : HopId();
  }

  bool are_timed(HopId outer, HopId id) const {
    return hops_[id].start != kNoTime && hops_[outer].start != kNoTime;
  }

  /// What a span states is known when it ends: what begins later is no part of that, whatever its
  /// parent is. Without times it may be a part of its parent, or come after it.
  bool holds(HopId outer, HopId id) const {
    const Hop& around = hops_[outer];
    const Hop& hop = hops_[id];
    if (!are_timed(outer, id) || around.duration == kNoDuration) return true;
    const bool take_time = hop.duration > Duration{0} && around.duration > Duration{0};
    return hop.start < around.end() || (hop.start == around.end() && !take_time);
  }

  /// The nearest span around each by parents in whose time it began, parents before children.
  void find_holders() {
    std::vector<bool> is_done(hops_.all.size());
    holder_.assign(hops_.all.size(), HopId());
    visit_top_down(
        hops_.all.size(), [this](size_t i) { return parent_of(HopId(i)).index; },
        [&](size_t i) {
          const HopId id(i);
          HopId outer = parent_of(id);
          if (outer && !is_done[outer.index]) outer = HopId();  // a circle
          for (int looked = 0; outer && !holds(outer, id); ++looked)
            outer = looked < kMostLooked ? holder_[outer.index] : HopId();
          holder_[i] = outer;
          is_done[i] = true;
        });
  }

  void pass_up(HopId id, Below&& all, HopId above) {
    if (all.call_count == 0 && !all.any) return;
    const Activity::Kind kind = of(id).kind;
    if (kind == Activity::Kind::agent_run || kind == Activity::Kind::tool_run)
      for (CallBelow& call : all.calls) call.is_direct = false;
    all.is_timed = are_timed(above, id);
    below_[above.index].add(std::move(all));
  }

  /// Settles a span whose parts are settled; returns what all of it used up.
  Below settle(HopId id) {
    Below below;
    if (const auto known = below_.find(id.index); known != below_.end()) {
      below = std::move(known->second);
      below_.erase(known);
    }
    Activity& own = of(id);
    if (own.kind == Activity::Kind::model_call)
      settle_call(id, own, below);
    else if (states_tokens(own) || own.cost_is_recorded)
      settle_total(id, own, below);
    return below;
  }

  // --- calls ---------------------------------------------------------------------------------

  void settle_call(HopId id, Activity& own, Below& below) {
    std::vector<CallBelow> fitting;
    for (const CallBelow& call : below.calls)
      if (may_be_same(own, activities_.all[call.call.index])) fitting.push_back(call);
    if (fitting.empty()) return add_call(id, own, below);
    const bool is_one = below.call_count <= Below::kMostCompared && fitting.size() == 1;
    const bool is_direct = std::any_of(fitting.begin(), fitting.end(),
                                       [](const CallBelow& call) { return call.is_direct; });
    Tokens sum;
    for (const CallBelow& call : fitting) add_tokens(sum, activities_.all[call.call.index].tokens);
    Activity& inner = activities_.all[fitting.front().call.index];
    if (!states_tokens(own)) {
      if (!is_direct) return add_call(id, own, below);
      return join(own, inner, below);
    }
    if (is_one && is_direct && total_of(sum) < 0) return join_inner(own, inner, below);
    const TotalIs of_all = compare(own.tokens, below.tokens), of_fitting = compare(own.tokens, sum);
    if (of_all == TotalIs::sum || of_fitting == TotalIs::sum) {
      if (is_one) return join(own, inner, below);
      return wrap(id, own, {}, below);
    }
    if (!below.is_timed) return add_call(id, own, below);
    if (of_all == TotalIs::more) {
      const Tokens rest = beyond(own.tokens, below.tokens);
      if (is_one) join(own, inner, below);
      return wrap(id, own, rest, below);
    }
    if (is_one && (is_direct || of_fitting == TotalIs::more)) return join(own, inner, below);
    for (const CallBelow& call : fitting)
      if (states_same(own.tokens, activities_.all[call.call.index].tokens))
        return join(own, activities_.all[call.call.index], below);
    add_call(id, own, below);
  }

  /// Does the call below state the same call, and not one that was made for it?
  bool may_be_same(const Activity& own, const Activity& inner) const {
    // An attempt that failed and was got over is a call, unless the outer one counts the attempts.
    const bool was_got_over =
        inner.outcome == Outcome::error && own.outcome != Outcome::error && own.retries_inside == 0;
    if (was_got_over || embeds(own) != embeds(inner)) return false;
    return states_same(own.tokens, inner.tokens) || may_be_one_model(own.model, inner.model);
  }

  static bool states_same(const Tokens& one, const Tokens& other) {
    return total_of(one) >= 0 && are_equal_counts(one, other);
  }

  /// Does it ask for vectors, as names show?
  bool embeds(const Activity& call) const {
    const std::string_view operation = trace_[span_of(call.hop).operation];
    return lower(operation).find("embed") != std::string::npos ||
           lower(call.model).find("embed") != std::string::npos;
  }

  /// The call that another span states which bears the same id of an answer, at the same time and
  /// with the same counts: two libraries recorded it next to each other. Invalid: there is none.
  ActivityId find_stated(HopId id, const Activity& own) {
    const Span& span = span_of(id);
    const StringId answer = row_or_empty(trace_, span.task_step).request;
    if (!answer || !states_tokens(own)) return {};
    const ActivityId at = activities_.of_hop[id.index];
    const auto [known, is_new] = by_answer_.try_emplace({span.trace, answer}, at);
    if (is_new || own.same_as) return {};
    const Activity& other = activities_.all[known->second.index];
    const bool meet = own.start <= other.end() && other.start <= own.end();
    if (!meet || !are_equal_counts(own.tokens, other.tokens)) return {};
    return other.same_as ? other.same_as : known->second;
  }

  void add_call(HopId id, Activity& own, Below& below) {
    const ActivityId at = activities_.of_hop[id.index];
    if (const ActivityId stated = find_stated(id, own)) {
      own.same_as = stated;
      return;
    }
    ++below.call_count;
    if (below.calls.size() < Below::kMostCompared) below.calls.push_back({at});
    add_tokens(below.tokens, own.tokens);
    below.money.add_part(own);
    below.paid_uncounted += own.cost_is_recorded && !states_tokens(own);
    below.uncounted += own.is_unpriced && !states_tokens(own);
    below.low += own.output_is_low;
    below.add_model(own.model);
    if (states_tokens(own) || own.cost >= 0) below.any = at;
  }

  /// The inner span is the call; the outer one may know more of it.
  void join(Activity& own, Activity& inner, Below& below) {
    if (own.same_as) {  // a log accounts for the call
      if (!inner.same_as) inner.same_as = own.same_as;
      return;
    }
    own.same_as = activities_.of_hop[inner.hop.index];
    const PartsMoney before = money_of(inner);
    take_missing(own, inner);
    below.money.replace(before, money_of(inner));
  }

  static PartsMoney money_of(const Activity& call) {
    PartsMoney money;
    money.add_part(call);
    return money;
  }
  /// Of two spans of one call, the one that counts may not know what came from a cache or what the
  /// call cost.
  void take_missing(const Activity& seen, Activity& counted) const {
    if (!states_same(seen.tokens, counted.tokens)) return;
    if (counted.tokens.cache_read < 0 && counted.tokens.cache_creation < 0)
      counted.tokens = seen.tokens;
    if (counted.cost_is_recorded) return;
    ComputedCost cost = compute_cost(graph_.prices(), counted.model, counted.tokens, counted.start);
    if (seen.cost_is_recorded) {
      cost.cost = seen.cost;
      cost.is_partial = false;
    }
    counted.cost = cost.cost;
    counted.cost_is_partial = cost.is_partial && cost.cost >= 0;
    counted.cost_is_recorded = seen.cost_is_recorded;
    counted.is_unpriced = counted.cost < 0;
  }

  /// The inner span states no tokens: the outer one is the call.
  void join_inner(Activity& own, Activity& inner, Below& below) {
    inner.same_as = activities_.of_hop[own.hop.index];
    if (!own.cost_is_recorded && inner.cost_is_recorded) {
      own.cost = inner.cost;
      own.cost_is_recorded = true;
      own.is_unpriced = own.cost_is_partial = false;
    }
    Below outer;
    add_call(own.hop, own, outer);
    below = std::move(outer);
  }

  /// A span that looks like a call and is the sum of several.
  void wrap(HopId id, Activity& own, const Tokens& rest, Below& below) {
    if (!own.same_as) own.kind = Activity::Kind::other;
    own.totals = below.any;
    add_rest(id, own, rest, true, below);
  }

  // --- totals --------------------------------------------------------------------------------

  void settle_total(HopId id, Activity& own, Below& below) {
    own.totals = below.any;
    if (!states_tokens(own)) return add_rest(id, own, {}, true, below);
    const TotalIs total = compare(own.tokens, below.tokens);
    if (below.is_timed || total == TotalIs::sum || !below.any)
      return add_rest(id, own, beyond(own.tokens, below.tokens), total != TotalIs::less, below);
    Below before = std::exchange(below, {});  // which may come after it
    add_rest(id, own, own.tokens, true, below);
    below.add(std::move(before));
  }

  /// What a span states beyond the calls below it becomes a row. `includes_all`: these calls are in
  /// its money too.
  void add_rest(HopId id, const Activity& own, const Tokens& rest, bool includes_all,
                Below& below) {
    UnplacedUsage row;
    row.hop = id;
    row.at = hops_[id].at;
    row.time = own.start;
    row.model = !own.model.empty() ? own.model : below.has_models ? "" : below.model;
    row.provider = own.provider;
    if (row.provider.empty()) row.provider = maker_of(row.model);
    row.agent = own.agent.agent();
    const bool has_tokens = total_of(rest) > 0;
    if (has_tokens) row.tokens = rest;
    const bool has_money = own.cost_is_recorded && (includes_all || below.money.known() < 0);
    if (has_money) {
      below.money = settle_money(own.cost, below.money, row, activities_.ledger);
    } else if (has_tokens && below.paid_uncounted == 0) {
      row.take(compute_cost(graph_.prices(), row.model, rest, row.time));
      below.money.add_part(row);
    }
    if (has_tokens && is_complete(own.tokens)) {
      if (!has_money) {
        row.settles_unpriced = below.uncounted;
        settle_half_counted(below.money, row);
      }
      row.settles_low = below.low;
      below.uncounted = below.low = 0;
    }
    if (has_tokens) below.paid_uncounted = 0;
    add_tokens(below.tokens, row.tokens);
    if (!below.any) below.any = activities_.of_hop[id.index];
    below.add_model(row.model);
    if (row.states_any()) activities_.ledger.unplaced.push_back(row);
  }

  const Graph& graph_;
  const Trace& trace_;
  const Hops& hops_;
  Activities& activities_;
  static constexpr int kMostLooked = 4096;  ///< spans around one that had all ended before it began
  std::vector<HopId> holder_;               ///< by hop
  std::unordered_map<uint32_t, Below> below_;  ///< by hop that is not settled yet
  std::map<std::pair<StringId, StringId>, ActivityId> by_answer_;  ///< by trace and id of an answer
};

}  // namespace

void settle_spans(const Graph& graph, Activities& activities) {
  SpanSettler(graph, activities).settle();
}

}  // namespace xtrace
