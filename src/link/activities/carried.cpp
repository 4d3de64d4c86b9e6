#include "link/activities/carried.h"

#include <algorithm>
#include <set>

#include "link/activities/bill.h"
#include "link/activities/call_sizes.h"
#include "link/activities/output_estimate.h"
#include "link/activities/prompt_cost.h"
#include "link/graph/graph.h"
#include "prices/cost_parts.h"

namespace xtrace {

namespace {

class CarriedFinder {
 public:
  CarriedFinder(const Graph& graph, CallSizeMeter& said, const ShownCalls& shown)
      : graph_(graph),
        shown_(shown),
        trace_(graph.trace()),
        said_(said),
        bill_(graph),
        before_(graph.contexts_before()),
        brought_(trace_.calls.size()),
        carried_(trace_.calls.size()),
        ended_(trace_.calls.size()) {}

  std::vector<CarriedResult> find() && {
    for (CallId id : graph_.timeline().in_order()) {
      if (!before_[id.index]) continue;
      bring(id);
      reach(id);
      if (!shown_.shows || shown_.shows(id)) carry(id);
    }
    settle();
    return std::move(found_);
  }

 private:
  struct Brought {
    uint32_t first = 0, count = 0;  ///< in found_
    /// Where these and all that were brought in before them are; nowhere: there are none.
    PromptStretch reach = {INT64_MAX, 0};
    /// Each of them, and of those before them, is behind all that were brought in before it.
    bool is_sorted = true;
    uint32_t depth = 0;  ///< how many calls are before it, back to where the history was cut
    CallId jump;         ///< one of these, by which first_beyond() skips others
  };
  /// Later calls that sent something again.
  struct Carried {
    int64_t times = 0;
    int64_t cost = 0;  ///< of a token, or of all, in the unit of prices; -1: not known
    CallId last;
  };
  /// A result that a call reads first.
  struct NewResult {
    ToolUseId use;
    size_t bytes = 1;
  };

  const Activity& activity(CallId id) const { return graph_.activities().of(id); }
  int64_t sent(CallId id) const { return at_least_none(tokens_sent(activity(id).tokens)); }
  bool is_cut(CallId id) const { return trace_[id].is_compacted || trace_[id].is_pruned; }

  std::vector<NewResult> results_of(CallId id) const {
    std::vector<NewResult> results;
    for (uint32_t i : graph_.results_read_by(id))
      if (const Link& link = graph_.links()[i]; link.tool_use && !link.is_again)
        results.push_back({link.tool_use});
    return results;
  }

  void bring(CallId id) {
    std::vector<NewResult> results = results_of(id);
    const CallId before = before_[id.index];
    if (results.empty() || is_cut(id) || sent(id) == 0) return;
    const Call& asked = trace_[before];
    const int64_t output = activity(before).tokens.output;
    const bool is_counted = output >= 0 && !asked.output_is_low;
    const bool is_estimated = !is_counted || results.size() > 1 || says_more(before, id);
    int64_t answer = at_least_none(output);
    if (!is_counted && said_.is_known()) answer = estimated_answer(said_[before]);
    int64_t grown = sent(id) - sent(before) - answer;
    if (grown <= 0) return;
    size_t rest = is_estimated ? measure(id, results) : 0;
    add(id, results, grown, rest, is_estimated);
  }

  /// Is the model told something between the two that is no tool's result?
  bool says_more(CallId before, CallId id) const {
    const MessageId asked = trace_[before].request, answered = trace_[before].answer;
    for (MessageId at = trace_[id].request; at && at != asked && at != answered;
         at = trace_[at].before)
      if (trace_[at].role != Message::Role::assistant && graph_.timeline().results_in(at).empty())
        return true;
    return false;
  }

  /// How long the results are; returns how long all else is that came with them.
  size_t measure(CallId id, std::vector<NewResult>& results) const {
    const CallSizes& sizes = said_[id];
    size_t rest = sizes.asked;
    std::set<StringId> seen;
    for (NewResult& result : results) {
      const StringId use = trace_.tool_uses[result.use.index].id;
      if (!seen.insert(use).second) continue;
      const size_t bytes = sizes.of_result(trace_[use]).bytes;
      result.bytes += bytes;
      rest -= bytes;
    }
    return rest;
  }

  void add(CallId id, const std::vector<NewResult>& results, int64_t grown, size_t rest,
           bool is_estimated) {
    double bytes = static_cast<double>(rest);
    for (const NewResult& result : results) bytes += static_cast<double>(result.bytes);
    brought_[id.index].first = static_cast<uint32_t>(found_.size());
    const Activity& call = activity(id);
    const std::optional<Price> price = bill_.prices_of(call);
    double until = 0;
    int64_t at = sent(id) - grown;
    for (const NewResult& result : results) {  // what is no result is said to follow them
      until += static_cast<double>(result.bytes);
      const int64_t to =
          sent(id) - grown + static_cast<int64_t>(static_cast<double>(grown) * (until / bytes));
      CarriedResult one;
      one.reader = one.last = id;
      one.use = result.use;
      one.tokens = to - at;
      one.is_estimated = is_estimated;
      if (price) one.first_cost = prompt_cost({at, to}, call.tokens, *price);
      one.again_cost = one.first_cost < 0 ? kNoCount : 0;
      found_.push_back(one);
      places_.push_back({at, to});
      again_.emplace_back();
      at = to;
    }
    brought_[id.index].count = static_cast<uint32_t>(results.size());
  }

  /// The call before it whose results it may send again.
  CallId earlier(CallId id) const { return is_cut(id) ? CallId() : before_[id.index]; }

  void reach(CallId id) {
    Brought& brought = brought_[id.index];
    if (const CallId before = earlier(id)) {
      const Brought& all = brought_[before.index];
      brought.reach = all.reach;
      brought.is_sorted = all.is_sorted;
      brought.depth = all.depth + 1;
      // Jumps grow by powers of two, so that a search looks at the logarithm of the depth.
      const Brought& next = after_jump(before);
      const bool is_as_far = all.depth - next.depth == next.depth - after_jump(all.jump).depth;
      brought.jump = all.jump && is_as_far ? next.jump : before;
    }
    for (uint32_t i = brought.first; i < brought.first + brought.count; ++i) {
      brought.is_sorted &= places_[i].from >= brought.reach.to;
      brought.reach.from = std::min(brought.reach.from, places_[i].from);
      brought.reach.to = std::max(brought.reach.to, places_[i].to);
    }
  }
  const Brought& after_jump(CallId id) const {
    static const Brought kNone;
    const CallId jump = id ? brought_[id.index].jump : id;
    return jump ? brought_[jump.index] : kNone;
  }

  /// The call sends what was brought in before it, back to where the history was cut.
  void carry(CallId id) {
    const CallId newest = earlier(id);
    if (!newest) return;
    const Activity& call = activity(id);
    const std::optional<Price> price = bill_.prices_of(call);
    const PricedStretches stretches = price ? priced_stretches(call.tokens, *price)
                                            : PricedStretches{{{{0, INT64_MAX}, kNoCount}}};
    if (brought_[newest.index].is_sorted && are_known(stretches))
      carry_sorted(id, newest, stretches);
    else
      carry_each(id, newest, stretches);
  }

  static bool are_known(std::span<const PricedStretch> stretches) {
    return std::ranges::all_of(stretches, [](const PricedStretch& one) {
      return one.price >= 0 || one.at.from >= one.at.to;
    });
  }

  /// Where all that is left costs the same for each token, it is noted once: looking at each result
  /// again would take as many looks for each call as there were calls before it.
  void carry_each(CallId id, CallId newest, std::span<const PricedStretch> stretches) {
    for (CallId at = newest; at; at = earlier(at)) {
      const PromptStretch all = brought_[at.index].reach;
      if (all.from > sent(id)) return;  // so it was left out, or there is none
      if (const PricedStretch* one = around(all, stretches); one != nullptr && all.to <= sent(id))
        return add({1, one->price, id}, carried_[at.index]);
      carry_own(id, at, stretches);
    }
  }

  /// Where results are in the order of their calls, those of a priced stretch are those of
  /// consecutive calls: they are noted once at the newest of these, and end at the oldest.
  void carry_sorted(CallId id, CallId at, std::span<const PricedStretch> stretches) {
    if (brought_[at.index].reach.to > sent(id)) {
      at = first_beyond(at, sent(id));
      carry_own(id, at, stretches);
      at = earlier(at);
    }
    for (auto one = stretches.rbegin(); at && one != stretches.rend(); ++one) {
      const PromptStretch all = brought_[at.index].reach;
      if (all.to <= one->at.from) continue;
      const Carried more = {1, one->price, id};
      if (all.from >= one->at.from) return add(more, carried_[at.index]);
      const CallId across = first_beyond(at, one->at.from);
      if (across != at) {
        add(more, carried_[at.index]);
        add(more, ended_[across.index]);
      }
      carry_own(id, across, stretches);
      at = earlier(across);
    }
  }

  /// The earliest call, up to this one, by which results reach beyond a place; by this one they do.
  CallId first_beyond(CallId at, int64_t place) const {
    auto is_beyond = [&](CallId id) { return id && brought_[id.index].reach.to > place; };
    while (is_beyond(earlier(at)))
      at = is_beyond(brought_[at.index].jump) ? brought_[at.index].jump : earlier(at);
    return at;
  }

  void carry_own(CallId id, CallId at, std::span<const PricedStretch> stretches) {
    const Brought& brought = brought_[at.index];
    for (uint32_t i = brought.first; i < brought.first + brought.count; ++i)
      if (places_[i].to <= sent(id)) add({1, unrounded_cost(places_[i], stretches), id}, again_[i]);
  }

  static const PricedStretch* around(PromptStretch all, std::span<const PricedStretch> stretches) {
    for (const PricedStretch& one : stretches)
      if (one.at.from <= all.from && all.to <= one.at.to) return &one;
    return nullptr;
  }

  void add(const Carried& more, Carried& sum) const {
    sum.times += more.times;
    sum.cost = sum.cost < 0 || more.cost < 0 ? kNoCount : sum_of_known({sum.cost, more.cost});
    if (more.last && (!sum.last || graph_.timeline().before(sum.last, more.last)))
      sum.last = more.last;
  }

  /// What was noted of a call holds for all that was brought in before it too.
  void settle() {
    const std::span<const CallId> order = graph_.timeline().in_order();
    for (auto id = order.rbegin(); id != order.rend(); ++id) {
      Carried& carried = carried_[id->index];
      carried.times -= ended_[id->index].times;
      if (carried.cost >= 0) carried.cost -= ended_[id->index].cost;
      const CallId before = before_[id->index];
      const Brought& brought = brought_[id->index];
      for (uint32_t i = brought.first; i < brought.first + brought.count; ++i) {
        int64_t cost = 0;
        const bool is_known = add_cost(cost, found_[i].tokens, carried.cost);
        add({carried.times, is_known ? cost : kNoCount, carried.last}, again_[i]);
        tell(again_[i], found_[i]);
      }
      if (before && !is_cut(*id)) add(carried, carried_[before.index]);
    }
  }

  static void tell(const Carried& again, CarriedResult& one) {
    one.again = again.times;
    if (again.last) one.last = again.last;
    if (one.again_cost >= 0) one.again_cost = again.cost < 0 ? kNoCount : to_billionths(again.cost);
  }

  const Graph& graph_;
  const ShownCalls& shown_;
  const Trace& trace_;
  CallSizeMeter& said_;
  Bill bill_;
  const std::vector<CallId>& before_;  ///< by call
  std::vector<Brought> brought_;       ///< by call
  std::vector<CarriedResult> found_;
  std::vector<PromptStretch> places_;  ///< by result: where it is in prompts
  std::vector<Carried> again_;         ///< by result
  std::vector<Carried> carried_;       ///< by call: of each token brought in by then
  std::vector<Carried> ended_;         ///< by call: what of that later calls carry no further
};

}  // namespace

std::vector<CarriedResult> find_carried(const Graph& graph, CallSizeMeter& said,
                                        const ShownCalls& shown) {
  return CarriedFinder(graph, said, shown).find();
}

}  // namespace xtrace
