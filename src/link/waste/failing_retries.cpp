#include "link/waste/error_words.h"
#include "link/waste/same_steps.h"

namespace xtrace {

void find_failing_retries(WasteSearch& search) {
  const ToolSteps& steps = search.steps;
  // Some editors want to see that a file was read first. Who did not let a tool run is asked again,
  // and what was stopped is started again, for a reason.
  const auto failed_itself = [&](uint32_t i) {
    return steps[i].failed() && !steps[i].was_stopped();
  };
  add_in_vain(
      search, WasteKind::failing_retry,
      [&](uint32_t earlier, uint32_t later) {
        if (search.is_claimed(later) || !failed_itself(earlier) || !failed_itself(later))
          return false;
        if (steps[earlier].call == steps[later].call) return false;
        const StepsBetween between = steps.between(earlier, later);
        return between.is_known && !between.has_user && !steps.may_have_changed(earlier, later) &&
               !steps.was_looked_at(earlier, later) &&
               steps.same_error(steps[earlier], steps[later]);
      },
      // What may go away by itself is tried again once for a reason; so is it by who waited first.
      [&](uint32_t first, const std::vector<uint32_t>& again, bool polls) {
        if (!may_go_away(steps.result(steps[first]))) return polls ? 0.5 : 0.9;
        return again.size() > 1 && !polls ? 0.5 : 0.0;
      });
}

}  // namespace xtrace
