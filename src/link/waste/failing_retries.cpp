#include "link/waste/error_words.h"
#include "link/waste/same_steps.h"

namespace xtrace {

namespace {

class FailingRetries {
 public:
  explicit FailingRetries(StepSearch& search) : search_(search), steps_(search.steps) {}

  /// The same again, with nothing changed anywhere.
  void find_same() {
    add_wasted_steps(
        search_, WasteKind::failing_retry, same_steps(search_),
        [&](uint32_t earlier, uint32_t later) {
          return failed_alike(earlier, later) && !steps_.may_have_changed(earlier, later);
        },
        [&](uint32_t first, const std::vector<uint32_t>& again, bool polls) {
          return sure(first, again, polls, 0.9);
        });
  }

  /// Something else, or by another tool, and refused for the same reason: an editor that wants a
  /// file read first says so however it is to be changed. Words alone tell a reason.
  void find_refused_again() {
    const size_t before = search_.found.size();
    add_wasted_steps(
        search_, WasteKind::failing_retry, failures_at_target(search_),
        [&](uint32_t earlier, uint32_t later) {
          return steps_[later].said != 0 && failed_alike(earlier, later) &&
                 !steps_.may_have_changed_file(earlier, later);
        },
        [&](uint32_t first, const std::vector<uint32_t>& again, bool polls) {
          return sure(first, again, polls, 0.8);
        });
    for (size_t i = before; i < search_.found.size(); ++i) search_.found[i].is_reworded = true;
  }

 private:
  // Some editors want to see that a file was read first. Who did not let a tool run is asked again,
  // and what was stopped is started again, for a reason.
  bool failed_alike(uint32_t earlier, uint32_t later) const {
    if (search_.is_claimed(later) || !failed_itself(earlier) || !failed_itself(later)) return false;
    if (steps_[earlier].call() == steps_[later].call()) return false;
    const StepsBetween between = steps_.between(earlier, later);
    return between.is_known && !between.has_user && !steps_.was_looked_at(earlier, later) &&
           steps_.same_error(steps_[earlier], steps_[later]);
  }
  bool failed_itself(uint32_t i) const { return steps_[i].failed() && !steps_[i].was_stopped(); }

  /// What may go away by itself is tried again once for a reason; so is it by who waited first.
  double sure(uint32_t first, const std::vector<uint32_t>& again, bool polls, double most) const {
    if (!is_transient_error(steps_.result(steps_[first]))) return polls ? 0.5 : most;
    return again.size() > 1 && !polls ? 0.5 : 0.0;
  }

  StepSearch& search_;
  const ToolSteps& steps_;
};

}  // namespace

void find_failing_retries(StepSearch& search) {
  FailingRetries retries(search);
  retries.find_same();
  retries.find_refused_again();
}

}  // namespace xtrace
