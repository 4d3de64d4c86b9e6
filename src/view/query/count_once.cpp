#include "view/query/count_once.h"

#include <algorithm>
#include <map>

#include "link/graph/graph.h"
#include "view/calls/unplaced.h"

namespace xtrace {

namespace {

int64_t figure(Metric metric, const Tokens& tokens, int64_t cost) {
  switch (metric) {
    case Metric::tokens_in: return tokens_sent(tokens);
    case Metric::tokens_out: return tokens.output;
    case Metric::cost: return cost;
    case Metric::latency: break;
  }
  return kNoCount;
}

class TimeCounter {
 public:
  explicit TimeCounter(std::vector<Step>& steps)
      : steps_(steps), attempt_(steps.size(), Step::kNone), holder_(steps.size(), Step::kNone) {
    find_order();
    for (size_t i : order_) {
      size_t parent = above(i);
      if (steps[i].retried_as != Step::kNone)
        attempt_[i] = i;
      else if (parent != Step::kNone)
        attempt_[i] = attempt_[parent];
      holder_[i] = find_holder(i);
    }
  }

  void decide() {
    for (size_t i = 0; i < steps_.size(); ++i) {
      if (steps_[i].took == kNoDuration) continue;
      if (attempt_[i] != Step::kNone)
        leave_out(i, NotCounted::Why::retried, steps_[attempt_[i]].retried_as);
      else if (holder_[i] != Step::kNone)
        leave_out(i, NotCounted::Why::within, holder_[i]);
    }
  }

 private:
  /// What led to a call does not hold it.
  size_t above(size_t at) const { return steps_[at].call ? Step::kNone : steps_[at].parent; }

  /// Parents before their children. There are no circles.
  void find_order() {
    std::vector<std::vector<size_t>> children(steps_.size());
    for (size_t i = 0; i < steps_.size(); ++i)
      if (above(i) == Step::kNone)
        order_.push_back(i);
      else
        children[above(i)].push_back(i);
    for (size_t next = 0; next < order_.size(); ++next)
      order_.insert(order_.end(), children[order_[next]].begin(), children[order_[next]].end());
  }

  /// The nearest step around this one in whose time it began. What takes time and begins when the
  /// other ends comes after it.
  size_t find_holder(size_t at) const {
    Time start = steps_[at].start.time;
    constexpr int kLooked = 4096;  // deeper than calls nest; chains of events may be longer
    size_t out = above(at);
    for (int i = 0; i < kLooked && out != Step::kNone && start != kNoTime; ++i) {
      const Step& around = steps_[out];
      const bool is_timed = around.took != kNoDuration && around.start.time != kNoTime;
      const Time end = is_timed ? after(around.start.time, around.took) : kNoTime;
      const bool takes_time = steps_[at].took > Duration{0} && around.took > Duration{0};
      if (is_timed && (start < end || (start == end && !takes_time))) return out;
      // Those in between had ended when that one began, which was before this one did.
      const bool is_later = around.start.time != kNoTime && start > around.start.time;
      out = is_later ? holder_[out] : above(out);
    }
    return Step::kNone;
  }

  void leave_out(size_t at, NotCounted::Why why, size_t step) {
    steps_[at].not_counted.push_back({Metric::latency, why, step});
  }

  std::vector<Step>& steps_;
  std::vector<size_t> order_;
  std::vector<size_t> attempt_;  ///< by step: the attempt that failed, itself or around it
  std::vector<size_t> holder_;
};

class UsageCounter {
 public:
  UsageCounter(const Graph& graph, std::vector<Step>& steps)
      : graph_(graph), activities_(graph.activities()), steps_(steps) {
    for (size_t i = 0; i < steps.size(); ++i) {
      const ActivityId id = activity_of(steps[i]);
      if (!id) continue;
      const auto [at, is_new] = step_of_.try_emplace(id, i);
      // Of a hop that both sides observed, the span that it is named after.
      const HopId hop = activities_[id].hop;
      if (!is_new && hop && graph.hops()[hop].span == steps[i].span) at->second = i;
    }
  }

  void count() {
    for (size_t i = 0; i < steps_.size(); ++i) count(i);
  }

 private:
  ActivityId activity_of(const Step& step) const {
    return step.call ? activities_.of_call[step.call.index] : activities_.of_span[step.span.index];
  }

  void count(size_t i) {
    Step& step = steps_[i];
    const ActivityId id = activity_of(step);
    if (!id) return;
    const Activity& done = activities_[id];
    const size_t standing = step_of_.at(id);
    step.repeats_elsewhere = done.same_as && !step_of_.contains(done.same_as);
    if (standing == i) {
      if (done.counts_usage()) {
        step.counted = usage_of(done);
        step.cost_is_partial = done.cost_is_partial;
        step.is_call = true;
        step.retries = bool{done.retry_of} + done.retries_inside;
        if (step.cost < 0 && done.cost >= 0) {
          step.cost = done.cost;
          step.cost_from_table = !done.cost_is_recorded;
        }
      } else if (const UnplacedUsage* row = done.hop ? activities_.ledger.of(done.hop) : nullptr) {
        step.counted = usage_of(*row);
        step.cost_is_partial = row->cost_is_partial;
        if (step.cost < 0 && row->cost >= 0) {
          step.cost = row->cost;
          step.cost_from_table = !row->cost_is_recorded;
        }
      }
    }
    for (Metric metric : {Metric::tokens_in, Metric::tokens_out, Metric::cost})
      note_rest(i, metric, done, standing);
  }

  /// A figure that is not counted here, or not all of it, is counted at another step.
  void note_rest(size_t i, Metric metric, const Activity& done, size_t standing) {
    Step& step = steps_[i];
    const int64_t stated = figure(metric, step.tokens, step.cost);
    const int64_t counts = at_least_none(figure(metric, step.counted.tokens, step.counted.cost));
    if (stated < 0 || stated == counts) return;
    const ActivityId other = done.same_as ? done.same_as : done.totals;
    NotCounted rest{metric, NotCounted::Why::told_elsewhere, Step::kNone, counts};
    if (standing != i) {
      rest.step = standing;
      rest.why = NotCounted::Why::told_around;
    } else if (const auto at = step_of_.find(other); at != step_of_.end()) {
      rest.step = at->second;
      rest.why =
          is_below(rest.step, i) ? NotCounted::Why::told_within : NotCounted::Why::told_around;
    }
    step.not_counted.push_back(rest);
  }

  bool is_below(size_t step, size_t above) const {
    constexpr int kLooked = 4096;
    for (int i = 0; i < kLooked && step != Step::kNone; ++i, step = steps_[step].parent)
      if (step == above) return true;
    return false;
  }

  const Graph& graph_;
  const Activities& activities_;
  std::vector<Step>& steps_;
  std::map<ActivityId, size_t> step_of_;
};

}  // namespace

void count_time(std::vector<Step>& steps) {
  TimeCounter(steps).decide();
}

void count_usage(const Graph& graph, std::vector<Step>& steps) {
  UsageCounter(graph, steps).count();
}

}  // namespace xtrace
