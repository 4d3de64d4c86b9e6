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
      [](uint32_t, const std::vector<uint32_t>&, bool polls) { return polls ? 0.5 : 0.9; });
}

}  // namespace xtrace
