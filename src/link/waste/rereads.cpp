#include "link/waste/same_steps.h"

namespace xtrace {

void find_rereads(WasteSearch& search) {
  const ToolSteps& steps = search.steps;
  add_in_vain(
      search, WasteKind::reread,
      [&](uint32_t earlier, uint32_t later) {
        const ToolStep &a = steps[earlier], &b = steps[later];
        if (search.is_claimed(later) || !a.went_well() || !b.went_well()) return false;
        if (!steps.is_file_read(earlier)) return false;
        const StepsBetween between = steps.between(earlier, later);
        return between.is_known && !between.is_cut && !between.has_user &&
               steps.same_result(a, b) && !steps.may_have_changed_file(earlier, later);
      },
      // Nobody knows what a command that does not name the file did to it meanwhile.
      [&](uint32_t first, const std::vector<uint32_t>& again, bool polls) {
        if (polls) return 0.4;
        return steps.may_have_changed(first, again.back()) ? 0.7 : 0.95;
      });
}

}  // namespace xtrace
