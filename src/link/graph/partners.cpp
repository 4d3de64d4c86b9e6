#include "link/graph/partners.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "facts/row_or_empty.h"
#include "link/hops/span_linkers.h"

namespace xtrace {

namespace {

using Partner = Partners::Partner;

class PartnerFinder {
 public:
  PartnerFinder(const Timeline& timeline, const Hops& hops)
      : timeline_(timeline), trace_(timeline.trace()), hops_(hops) {
    found_.of_call.resize(trace_.calls.size());
    found_.of_hop.resize(hops.all.size());
    found_.covers_run.resize(hops.runs.size());
  }

  Partners find() {
    for (const Call& call : trace_.calls) found_.has_thoughts |= call.is_thought;
    for (const OtherRecord& other : trace_.other_records) found_.has_thoughts |= other.is_thought;
    for (const Hop& hop : hops_.all) found_.has_call_spans |= Partners::promises_call(trace_, hop);
    match_by_id();
    match_by_parent();
    match_by_time();
    return std::move(found_);
  }

 private:
  const TaskStep& told_of(CallId call) const {
    return row_or_empty(trace_, timeline_[call].task_step);
  }
  const TaskStep& told_of(const Hop& hop) const {
    return row_or_empty(trace_, row_or_empty(trace_, hop.span).task_step);
  }
  const GenAi& model_of(const Hop& hop) const {
    return row_or_empty(trace_, row_or_empty(trace_, hop.span).gen_ai);
  }
  bool is_model_call(const Hop& hop) const {
    return model_of(hop).role == GenAi::Role::model || told_of(hop).is_adapter ||
           told_of(hop).type == TaskStep::Type::llm_call;
  }
  bool is_free(CallId call) const { return !found_.of_call[call.index].hop; }
  bool is_free(HopId hop) const { return !found_.of_hop[hop.index]; }

  void match(CallId call, HopId hop, Rule rule, double confidence) {
    found_.of_call[call.index] = {hop, rule, static_cast<float>(confidence)};
    found_.of_hop[hop.index] = call;
    found_.covers_run[hops_[hop].run] = true;
  }

  /// Of the spans that bear a request's id the one that asks the model; of several the first.
  bool is_better(HopId one, HopId other) const {
    bool asks = is_model_call(hops_[one]), other_asks = is_model_call(hops_[other]);
    if (asks != other_asks) return asks;
    return std::pair(hops_[one].start, one) < std::pair(hops_[other].start, other);
  }

  void match_by_id() {
    std::unordered_set<uint32_t> named;  // ids in calls; there may be far more spans
    for (CallId call : timeline_.in_order())
      for (StringId name : {told_of(call).span, told_of(call).request, timeline_[call].id,
                            timeline_[call].response})
        named.insert(name.index);
    std::unordered_map<uint32_t, HopId> by_request, by_span;
    for (size_t i = 0; i < hops_.all.size(); ++i) {
      HopId id(i);
      const Hop& hop = hops_[id];
      StringId request = told_of(hop).request;
      if (request && named.contains(request.index) && !told_of(hop).is_event &&
          is_call_or_unknown(hop)) {
        HopId& known = by_request.try_emplace(request.index, id).first->second;
        if (is_better(id, known)) known = id;
      }
      for (SpanId span : hops_.observations_of(hop))
        if (named.contains(trace_[span].id.index)) by_span.try_emplace(trace_[span].id.index, id);
    }
    for (CallId call : timeline_.in_order()) {
      const Call& of = timeline_[call];
      for (StringId name : {told_of(call).span, timeline_[call].id})
        match_with(call, name, by_span, Rule::span_id);
      for (StringId name : {told_of(call).request, timeline_[call].id, of.response})
        match_with(call, name, by_request, Rule::request_id);
    }
  }

  /// A check or a test may name the request whose answer it looks at.
  bool is_call_or_unknown(const Hop& hop) const {
    TaskStep::Type type = told_of(hop).type;
    return type == TaskStep::Type::other || type == TaskStep::Type::llm_call;
  }

  void match_with(CallId call, StringId name, const std::unordered_map<uint32_t, HopId>& index,
                  Rule rule) {
    if (!name || !is_free(call)) return;
    std::unordered_map<uint32_t, HopId>::const_iterator found = index.find(name.index);
    if (found != index.end() && is_free(found->second)) match(call, found->second, rule, 1);
  }

  /// Nothing says that the two are different calls.
  bool fit(CallId call, HopId hop) const {
    const Tokens& told = timeline_[call].tokens;
    const Tokens& seen = model_of(hops_[hop]).tokens;
    StringId model = timeline_[call].model, asked = model_of(hops_[hop]).model;
    auto differ = [](int64_t a, int64_t b) { return a >= 0 && b >= 0 && a != b; };
    return (!model || !asked || model == asked) && !differ(told.input, seen.input) &&
           !differ(told.output, seen.output);
  }

  void match_by_parent() {
    std::unordered_map<uint32_t, std::vector<HopId>> inside;  // by the span around
    std::unordered_map<uint32_t, uint32_t> children;          // calls, by the same
    for (CallId call : timeline_.in_order())
      if (is_free(call)) ++children[told_of(call).parent.index];
    if (children.empty()) return;
    for (size_t i = 0; i < hops_.all.size(); ++i)
      if (const Hop& hop = hops_.all[i]; hop.cause && is_model_call(hop) && is_free(HopId(i)))
        for (SpanId span : hops_.observations_of(hops_[hop.cause]))
          if (const uint32_t id = trace_[span].id.index; children.contains(id))
            inside[id].push_back(HopId(i));
    for (CallId call : timeline_.in_order()) {
      StringId parent = told_of(call).parent;
      if (!parent || !is_free(call) || children[parent.index] > 1) continue;
      std::vector<HopId>& spans = inside[parent.index];
      if (spans.size() == 1 && is_free(spans[0]) && fit(call, spans[0]))
        match(call, spans[0], Rule::parent_span, 1);
    }
  }

  // --- by time ------------------------------------------------------------------------------

  /// Clocks differ by so much, and logs are written so late; the default of `reorderWindowMs`, too.
  static constexpr std::chrono::milliseconds kSlack{100};

  bool meet(CallId id, HopId hop) const {
    const Call& call = timeline_[id];
    return call.start <= after(hops_[hop].end(), kSlack) &&
           hops_[hop].start <= after(call.end(), kSlack);
  }

  std::string_view trace_of(HopId hop) const {
    return without_zeros(trace_[row_or_empty(trace_, hops_[hop].span).trace]);
  }

  /// A call that names a trace of which spans are there is none of another trace.
  bool may_share_trace(CallId call, HopId hop) const {
    const std::string_view named = without_zeros(trace_[told_of(call).trace]);
    return named.empty() || !traces_.contains(named) || trace_of(hop) == named;
  }

  /// What tokens or at least a model say; without either nothing tells two calls apart.
  bool says_enough(CallId call, HopId hop) const {
    const Tokens& told = timeline_[call].tokens;
    const Tokens& seen = model_of(hops_[hop]).tokens;
    bool by_tokens = told.output >= 0 && told.output == seen.output;
    return by_tokens || (timeline_[call].model && model_of(hops_[hop]).model);
  }

  /// The only one that meets it; nothing if there are none or several.
  template <class Id, class Other>
  static std::optional<Other> only(const std::unordered_map<uint32_t, std::vector<Other>>& of,
                                   Id id) {
    auto found = of.find(id.index);
    return found != of.end() && found->second.size() == 1 ? std::optional(found->second[0])
                                                          : std::nullopt;
  }

  void match_by_time() {
    std::vector<CallId> open;
    for (CallId id : timeline_.in_order())
      if (is_free(id) && timeline_[id].start != kNoTime && !told_of(id).span) open.push_back(id);
    if (open.empty()) return;
    std::vector<HopId> spans;
    for (size_t i = 0; i < hops_.all.size(); ++i)
      if (const Hop& hop = hops_.all[i];
          is_model_call(hop) && is_free(HopId(i)) && hop.start != kNoTime && !told_of(hop).request)
        spans.push_back(HopId(i));
    if (spans.empty()) return;
    for (HopId hop : spans) traces_.insert(trace_of(hop));
    auto starts = [&](HopId hop) { return hops_[hop].start; };
    std::sort(spans.begin(), spans.end(),
              [&](HopId a, HopId b) { return std::pair(starts(a), a) < std::pair(starts(b), b); });
    Duration longest{0};
    for (HopId hop : spans)
      longest = std::max(longest, elapsed(hops_[hop].start, hops_[hop].end()));
    std::unordered_map<uint32_t, std::vector<HopId>> of_call;
    std::unordered_map<uint32_t, std::vector<CallId>> of_hop;
    for (CallId id : open) {
      const Call& call = timeline_[id];
      Time from = after(after(call.start, -longest), -kSlack), to = after(call.end(), kSlack);
      auto at = std::lower_bound(spans.begin(), spans.end(), from,
                                 [&](HopId hop, Time time) { return starts(hop) < time; });
      for (size_t looked = 0; at != spans.end() && starts(*at) <= to && looked < kLookedAt; ++at) {
        if (!meet(id, *at) || !fit(id, *at) || !says_enough(id, *at)) continue;
        if (!may_share_trace(id, *at)) continue;
        of_call[id.index].push_back(*at);
        of_hop[at->index].push_back(id);
        ++looked;
      }
    }
    double rate = rate_of(spans);
    for (CallId call : open)
      if (std::optional<HopId> hop = only<CallId, HopId>(of_call, call);
          hop && only<HopId, CallId>(of_hop, *hop) == call)
        match(call, *hop, Rule::time, chance(call, *hop, rate));
  }

  /// Spans of calls in a second.
  double rate_of(const std::vector<HopId>& spans) const {
    double seconds = std::chrono::duration<double>(
                         elapsed(hops_[spans.front()].start, hops_[spans.back()].end()))
                         .count();
    return static_cast<double>(spans.size()) / std::max(seconds, 1.0);
  }

  /// That no other call happened to be there instead: they come as often as in the whole input.
  double chance(CallId call, HopId hop, double rate) const {
    Duration apart = elapsed(std::min(timeline_[call].start, hops_[hop].start),
                             std::max(timeline_[call].start, hops_[hop].start));
    double seconds = std::chrono::duration<double>(std::min<Duration>(apart, kSlack * 20)).count();
    return std::max(std::exp(-rate * seconds), 0.5);
  }

  static constexpr size_t kLookedAt = 8;  ///< more than one fits nobody

  const Timeline& timeline_;
  const Trace& trace_;
  const Hops& hops_;
  std::set<std::string_view> traces_;  ///< of spans of calls to a model that may be matched by time
  Partners found_;
};

}  // namespace

bool Partners::promises_call(const Trace& trace, const Hop& hop) {
  if (!hop.span) return false;
  const Span& span = trace[hop.span];
  const TaskStep& task_step = row_or_empty(trace, span.task_step);
  if (task_step.is_event ||
      (task_step.type != TaskStep::Type::other && task_step.type != TaskStep::Type::llm_call))
    return false;
  return task_step.is_adapter || task_step.request;
}

Partners find_partners(const Timeline& timeline, const Hops& hops) {
  return PartnerFinder(timeline, hops).find();
}

}  // namespace xtrace
