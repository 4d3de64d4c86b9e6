#include "link/activities/carried.h"

#include <algorithm>
#include <set>

#include "link/activities/bill.h"
#include "link/activities/context_before.h"
#include "link/activities/output_estimate.h"
#include "link/activities/prompt_cost.h"
#include "link/activities/said_sizes.h"
#include "link/graph/graph.h"

namespace xtrace {

namespace {

int64_t at_least_none(int64_t count) {
  return std::max<int64_t>(count, 0);
}

class CarriedFinder {
 public:
  CarriedFinder(const Graph& graph, SaidSizesOf& said)
      : graph_(graph),
        trace_(graph.trace()),
        said_(said),
        bill_(graph),
        before_(contexts_before(graph)),
        brought_(trace_.calls.size()) {}

  std::vector<CarriedResult> find() && {
    for (CallId id : graph_.timeline().in_order()) {
      if (!before_[id.index]) continue;
      bring(id);
      carry(id);
    }
    return std::move(found_);
  }

 private:
  struct Brought {
    uint32_t first = 0, count = 0;  ///< in found_
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
    const SaidSizes& sizes = said_[id];
    size_t rest = sizes.asked;
    std::set<StringId> seen;
    for (NewResult& result : results) {
      const StringId use = trace_.tool_uses[result.use.index].id;
      if (!seen.insert(use).second) continue;
      const size_t bytes = sizes.of_result(trace_[use]);
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
    const Price* price = bill_.prices_of(call);
    double until = 0;
    int64_t at = sent(id) - grown;
    for (const NewResult& result : results) {  // what is no result is said to stand behind them
      until += static_cast<double>(result.bytes);
      const int64_t to =
          sent(id) - grown + static_cast<int64_t>(static_cast<double>(grown) * (until / bytes));
      CarriedResult one;
      one.reader = one.last = id;
      one.use = result.use;
      one.tokens = to - at;
      one.is_estimated = is_estimated;
      if (price != nullptr) one.first_cost = prompt_cost({at, to}, call.tokens, *price);
      one.again_cost = one.first_cost < 0 ? kNoCount : 0;
      found_.push_back(one);
      places_.push_back({at, to});
      at = to;
    }
    brought_[id.index].count = static_cast<uint32_t>(results.size());
  }

  /// The call sends what was brought in before it, back to where the history was cut.
  void carry(CallId id) {
    const Activity& call = activity(id);
    const Price* price = bill_.prices_of(call);
    for (CallId at = id; !is_cut(at) && before_[at.index];) {
      at = before_[at.index];
      const Brought& brought = brought_[at.index];
      for (uint32_t i = brought.first; i < brought.first + brought.count; ++i) {
        if (places_[i].to > sent(id)) continue;  // so it was left out
        CarriedResult& one = found_[i];
        ++one.again;
        one.last = id;
        int64_t cost = price == nullptr ? kNoCount : prompt_cost(places_[i], call.tokens, *price);
        one.again_cost =
            cost < 0 || one.again_cost < 0 ? kNoCount : sum_of_known({one.again_cost, cost});
      }
    }
  }

  const Graph& graph_;
  const Trace& trace_;
  SaidSizesOf& said_;
  Bill bill_;
  std::vector<CallId> before_;    ///< by call
  std::vector<Brought> brought_;  ///< by call
  std::vector<CarriedResult> found_;
  std::vector<PromptStretch> places_;  ///< by result: where it stands in prompts
};

}  // namespace

std::vector<CarriedResult> find_carried(const Graph& graph, SaidSizesOf& said) {
  return CarriedFinder(graph, said).find();
}

}  // namespace xtrace
