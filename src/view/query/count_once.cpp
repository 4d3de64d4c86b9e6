#include "view/query/count_once.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "view/common/field.h"

namespace xtrace {

namespace {

constexpr std::array kTold = {Metric::tokens_in, Metric::tokens_out, Metric::cost};

/// What a step tells of; -1: nothing. Vendors differ in what they call input, so all of it is
/// compared.
int64_t figure(const Step& step, Metric metric) {
  const Tokens& tokens = step.record.tokens;
  switch (metric) {
    case Metric::latency: return step.took == kNoDuration ? kNoCount : step.took.count();
    case Metric::tokens_in: return tokens_sent(tokens);
    case Metric::tokens_out: return tokens.output;
    case Metric::cost: return step.record.cost;
  }
  return kNoCount;
}

class UsageCounter {
 public:
  explicit UsageCounter(std::vector<Step>& steps)
      : steps_(steps),
        attempt_(steps.size(), Step::kNone),
        holder_(steps.size(), Step::kNone),
        repeats_part_(steps.size()) {
    find_order();
    for (size_t i : order_) {
      size_t parent = above(i);
      if (steps[i].retried_as != Step::kNone)
        attempt_[i] = i;
      else if (parent != Step::kNone)
        attempt_[i] = attempt_[parent];
      holder_[i] = find_holder(i);
    }
    for (size_t i = 0; i < steps.size(); ++i)
      if (holder_[i] != Step::kNone && is_same_usage(steps[i], steps[holder_[i]]))
        repeats_part_[holder_[i]] = true;
  }

  void decide() {
    for (size_t i = 0; i < steps_.size(); ++i) {
      if (figure(steps_[i], Metric::latency) == kNoCount) continue;
      if (attempt_[i] != Step::kNone)
        leave_out(i, Metric::latency, NotCounted::Why::retried, steps_[attempt_[i]].retried_as);
      else if (holder_[i] != Step::kNone)
        leave_out(i, Metric::latency, NotCounted::Why::within, holder_[i]);
    }
    for (Metric metric : kTold) decide(metric);
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

  /// Of a cost that was made from tokens: are these told by steps within it?
  bool has_tokens_within(const Step& step) const {
    return step.cost_from_table &&
           std::any_of(step.not_counted.begin(), step.not_counted.end(), [](const NotCounted& one) {
             return one.metric == Metric::tokens_in && one.why == NotCounted::Why::told_within;
           });
  }

  /// One tells what the other one spent, once more.
  static bool is_same_usage(const Step& part, const Step& around) {
    for (Metric metric : {Metric::tokens_in, Metric::tokens_out})
      if (figure(part, metric) < 0 || figure(part, metric) != figure(around, metric)) return false;
    return true;
  }

  /// Is a step's own figure the sum of what steps within it tell? A total of calls is, whatever its
  /// sum. Vendors differ in whether input from a cache is input, and costs are rounded.
  bool is_sum(size_t at, Metric metric, int64_t own, int64_t within, int64_t without_cache) const {
    if (steps_[at].is_total || repeats_part_[at] || own == within) return true;
    if (metric == Metric::tokens_in) return own == without_cache;
    constexpr int64_t kRounded = 100;  // one in a hundred
    return metric == Metric::cost &&
           (has_tokens_within(steps_[at]) || std::abs(own - within) <= within / kRounded);
  }

  /// From the inside out: what the steps within each step tell of, and whether that is all of its
  /// own figure. Then from the outside in: what a step around has told of already.
  void decide(Metric metric) {
    std::vector<int64_t> within(steps_.size(), kNoCount);  // what the steps within tell of
    std::vector<int64_t> without_cache(steps_.size(), kNoCount);
    std::vector<size_t> teller(steps_.size(), Step::kNone);
    enum : uint8_t { counts, told_within, tells_of_all };
    std::vector<uint8_t> verdict(steps_.size(), counts);
    for (size_t k = order_.size(); k-- > 0;) {
      size_t i = order_[k];
      int64_t own = figure(steps_[i], metric), all = sum_of_known({own, within[i]});
      if (own >= 0 && within[i] >= 0) {
        if (is_sum(i, metric, own, within[i], without_cache[i])) {
          verdict[i] = told_within;
          all = within[i];
        } else if (own > within[i] && steps_[i].record.model.empty()) {
          verdict[i] = tells_of_all;
          all = own;
        }
      }
      if (all < 0 || holder_[i] == Step::kNone) continue;
      within[holder_[i]] = sum_of_known({within[holder_[i]], all});
      int64_t plain = verdict[i] == told_within
                          ? without_cache[i]
                          : sum_of_known({steps_[i].record.tokens.input,
                                          verdict[i] == counts ? without_cache[i] : kNoCount});
      without_cache[holder_[i]] = sum_of_known({without_cache[holder_[i]], plain});
      teller[holder_[i]] = own >= 0 ? i : teller[i];
    }
    std::vector<size_t> told_by(steps_.size(), Step::kNone);  // the step around that tells of it
    for (size_t i : order_) {
      size_t holder = holder_[i];
      if (holder != Step::kNone)
        told_by[i] = verdict[holder] == tells_of_all ? holder : told_by[holder];
      if (figure(steps_[i], metric) < 0) continue;
      if (told_by[i] != Step::kNone)
        leave_out(i, metric, NotCounted::Why::told_around, told_by[i]);
      else if (verdict[i] == told_within)
        leave_out(i, metric, NotCounted::Why::told_within, teller[i]);
    }
  }

  void leave_out(size_t at, Metric metric, NotCounted::Why why, size_t step) {
    steps_[at].not_counted.push_back({metric, why, step});
  }

  std::vector<Step>& steps_;
  std::vector<size_t> order_;
  std::vector<size_t> attempt_;  ///< by step: the attempt that failed, itself or around it
  std::vector<size_t> holder_;
  std::vector<bool> repeats_part_;  ///< by step: it tells of the tokens of one step within it
};

}  // namespace

void count_once(std::vector<Step>& steps) {
  UsageCounter(steps).decide();
}

}  // namespace xtrace
