#include "link/activities/deed.h"
#include "link/waste/same_steps.h"

namespace xtrace {

namespace {

/// What is asked anew each time, however it is worded: a person, or another agent. What only looks
/// for something and is told what to look for asks nobody.
bool asks_somebody(const ToolStep& step) {
  return (step.use().prompt && step.named.changes) || step.use().subagent_type ||
         asks_a_person(step.done->tool);
}

}  // namespace

void find_repeated_calls(StepSearch& search) {
  const ToolSteps& steps = search.steps;
  add_wasted_steps(
      search, WasteKind::repeated_call, same_steps(search),
      [&](uint32_t earlier, uint32_t later) {
        const ToolStep &a = steps[earlier], &b = steps[later];
        if (search.is_claimed(later) || !a.went_well() || !b.went_well()) return false;
        if (asks_somebody(a) || steps.is_file_read(earlier)) return false;
        if (steps.confidence_if_repeated(earlier) == 0) return false;
        const StepsBetween between = steps.between(earlier, later);
        return between.is_known && !between.is_cut && !between.has_user &&
               steps.same_result(earlier, later) && !steps.may_have_changed(earlier, later);
      },
      [&](uint32_t first, const std::vector<uint32_t>&, bool polls) {
        return polls ? 0.4 : steps.confidence_if_repeated(first);
      });
}

}  // namespace xtrace
