#include <algorithm>

#include "link/waste/waste_search.h"

namespace xtrace {

namespace {

constexpr uint32_t kLongestRound = 4;
constexpr size_t kFewestSame = 3;    // of one step
constexpr size_t kFewestRounds = 2;  // of several

/// One step as often as there are rounds, or the steps of a round in turn:
///
///     A A A A        a round of one
///     A B A B A      a round of two, and a half of which nothing is said
class LoopFinder {
 public:
  LoopFinder(StepSearch& search, const std::vector<uint32_t>& steps)
      : search_(search), steps_(steps) {}

  void find() {
    for (size_t at = 0; at + 1 < steps_.size();) {
      const size_t behind = find_at(at);
      at = std::max(at + 1, behind);
    }
  }

 private:
  const ToolStep& step(size_t i) const { return search_.steps[steps_[i]]; }

  /// Did the later step ask the same as the earlier one, after it was told, and learn nothing new?
  bool is_same(size_t earlier, size_t later) const {
    const ToolStep &a = step(earlier), &b = step(later);
    if (a.use().arguments == 0 || a.asks() != b.asks() || a.call() == b.call()) return false;
    if (!search_.shows(steps_[earlier]) || !search_.shows(steps_[later])) return false;
    if (a.failed() != b.failed()) return false;
    if (a.failed() && (a.was_stopped() || b.was_stopped())) return false;
    const StepsBetween between = search_.steps.between(steps_[earlier], steps_[later]);
    return between.is_known && !between.has_user && !between.is_cut &&
           (a.failed() ? search_.steps.same_error(a, b)
                       : search_.steps.same_result(steps_[earlier], steps_[later]));
  }

  /// Returns where the loop ends that begins there; `begin`: none does.
  size_t find_at(size_t begin) {
    for (uint32_t period = 1; period <= kLongestRound; ++period) {
      size_t end = begin + period;
      if (end >= steps_.size() || !is_same(begin, end)) continue;
      const double sure = confidence_of_loop(begin, period);  // of all rounds, as they are the same
      if (sure == 0) continue;
      while (end < steps_.size() && is_same(end - period, end)) ++end;
      const size_t rounds = (end - begin) / period;
      if (rounds < (period == 1 ? kFewestSame : kFewestRounds)) continue;
      if (period > 1 && is_one_thing(begin, period)) continue;
      add(begin, period, rounds, sure);
      return begin + rounds * period;
    }
    return begin;
  }

  /// Steps that one answer asks for together are one thing done.
  bool is_one_thing(size_t begin, uint32_t period) const {
    return step(begin).call() == step(begin + period - 1).call();
  }

  /// The confidence that a round was wasted is that of its least certain step. If some steps do
  /// something each time, others may show that nothing came of it.
  double confidence_of_loop(size_t begin, uint32_t period) const {
    double least = 1, most = 0;
    for (size_t i = begin; i < begin + period; ++i) {
      const double sure = search_.steps.confidence_if_repeated(steps_[i]);
      least = std::min(least, sure);
      most = std::max(most, sure);
    }
    if (is_undone(begin, period)) return 0.8;
    return least > 0 ? least : std::min(most, 0.4);
  }

  /// Of a round: does it edit a file twice? An edit can be made again only where it was undone.
  bool is_undone(size_t begin, uint32_t period) const {
    for (size_t i = begin; i < begin + period; ++i)
      for (size_t j = begin; j < i; ++j)
        if (step(i).named.edits && step(j).named.edits && step(i).use().target &&
            step(i).use().target == step(j).use().target)
          return step(i).went_well() && step(j).went_well();
    return false;
  }

  void add(size_t begin, uint32_t period, size_t rounds, double sure) {
    std::vector<uint32_t> again;
    bool polls = false;
    for (size_t i = begin; i < begin + period; ++i) polls |= search_.steps.is_polling(steps_[i]);
    for (size_t i = begin + period; i < begin + rounds * period; ++i) again.push_back(steps_[i]);
    Waste& loop = search_.add_steps(WasteKind::loop, sure, steps_[begin], again);
    loop.period = period;
    loop.is_polling = polls;
    loop.times = static_cast<int64_t>(rounds) - 1;
    if (period > 1) loop.target = {};
  }

  StepSearch& search_;
  const std::vector<uint32_t>& steps_;
};

}  // namespace

void find_loops(StepSearch& search) {
  for (uint32_t i : search.conversations)
    LoopFinder(search, search.steps.by_conversation()[i]).find();
}

}  // namespace xtrace
