#pragma once

#include <algorithm>
#include <span>
#include <tuple>
#include <vector>

#include "facts/tool_targets.h"
#include "link/graph/queries.h"
#include "view/common/view.h"

namespace xtrace {

/// Where something is on record, and how often.
class SeenEvents {
 public:
  void add(Time time, const Extent& at) {
    const Key key{time == kNoTime, time, at.file, at.offset};
    if (count_ == 0 || key < first_key_) first_ = at, first_key_ = key;
    if (count_ == 0 || last_key_ < key) last_ = at, last_key_ = key;
    ++count_;
  }
  int64_t count() const { return count_; }
  const Extent& first() const { return first_; }
  const Extent& last() const { return last_; }

 private:
  using Key = std::tuple<bool, Time, uint32_t, uint64_t>;
  int64_t count_ = 0;
  Extent first_, last_;
  Key first_key_, last_key_;
};

/// Everything that kinds of events are counted in.
struct RecordedEvents {
  const Question& question;
  const Graph& graph = question.graph;
  const Trace& trace = graph.trace();

  const Extent& place(const Activity& activity) const {
    return activity.call ? trace[activity.call].source : graph.hops()[activity.hop].at;
  }
  /// Once, however many records state it.
  template <class Match>
  void each_activity(SeenEvents& seen, Match match) const {
    for (const Activity& one : graph.activities().all)
      if (!one.same_as && one.is_recorded() && (one.call || one.hop) && match(one))
        seen.add(one.start, place(one));
  }
  template <class Match>
  void each_call(SeenEvents& seen, Match match) const {
    for (size_t i = 0; i < trace.calls.size(); ++i)
      if (const Call& call = trace.calls[i];
          call.outcome != Outcome::unrecorded && match(call, CallId(i)))
        seen.add(call.start, call.source);
  }
  template <class Match>
  void each_span(SeenEvents& seen, Match match) const {
    for (const Span& span : trace.spans)
      if (match(span)) seen.add(span.start, span.source);
  }
  /// What spans of model calls record of what was said to the model.
  template <class Match>
  void each_prompt(SeenEvents& seen, Match match) const {
    if (question.payloads == nullptr) return;
    each_span(seen, [&](const Span& span) {
      if (!span.gen_ai || trace[span.gen_ai].role != GenAi::Role::model) return false;
      std::vector<Quote> quotes = question.payloads->quotes(span);
      std::erase_if(quotes, [](const Quote& quote) { return quote.is_answer; });
      return match(quotes);
    });
  }
  template <class Match>
  void each_link(SeenEvents& seen, Match match) const {
    for (const Link& link : graph.links())
      if (match(link)) seen.add(trace[link.to].start, trace[link.to].source);
  }
  /// Tool uses by what they work on.
  template <class Match>
  void each_target(SeenEvents& seen, Match match) const {
    each_activity(seen, [&](const Activity& one) {
      if (one.use == nullptr) return false;
      const std::vector<StringId> targets = targets_of(trace, *one.use);
      return std::any_of(targets.begin(), targets.end(),
                         [&](StringId target) { return match(one, trace[target]); });
    });
  }
};

/// A kind of event that auditors ask for: how it is counted, and where there is none, what is not
/// on record and what would put it there.
struct EventKind {
  Text kind, counted, missing;
  void (*count)(const RecordedEvents& record, SeenEvents& seen);
};
std::span<const EventKind> event_kinds();

}  // namespace xtrace
