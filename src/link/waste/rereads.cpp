#include <algorithm>
#include <string_view>

#include "link/waste/same_steps.h"

namespace xtrace {

namespace {

/// Does a program write it rather than a person, as a build, a package manager or a server does?
bool is_written_by_programs(std::string_view path) {
  const auto ends = {".lock", "-lock.json", "-lock.yaml", ".sum", ".snap", ".log", ".out", ".map"};
  const auto folders = {"dist/",     "build/", "target/",      "out/",  "node_modules/",
                        "coverage/", "logs/",  "__pycache__/", ".next/"};
  return std::ranges::any_of(ends, [&](const char* end) { return path.ends_with(end); }) ||
         std::ranges::any_of(folders, [&](const char* folder) {
           const size_t at = path.find(folder);
           return at == 0 || (at != path.npos && path[at - 1] == '/');
         });
}

}  // namespace

void find_rereads(StepSearch& search) {
  const ToolSteps& steps = search.steps;
  add_wasted_steps(
      search, WasteKind::reread, same_steps(search),
      [&](uint32_t earlier, uint32_t later) {
        const ToolStep &a = steps[earlier], &b = steps[later];
        if (search.is_claimed(later) || !a.went_well() || !b.went_well()) return false;
        if (!steps.is_file_read(earlier)) return false;
        const StepsBetween between = steps.between(earlier, later);
        if (!between.is_known || between.is_cut) return false;
        if (between.has_user && steps.was_asked_for(earlier, later)) return false;
        const std::string_view path = search.graph.trace()[a.use().target];
        if (is_written_by_programs(path) && steps.may_have_changed(earlier, later)) return false;
        if (a.said != b.said) return steps.is_told_unchanged(later);
        return steps.same_result(earlier, later) && !steps.may_have_changed_file(earlier, later);
      },
      // Nobody knows what a command that does not name the file did to it meanwhile, nor all that
      // a user may have meant.
      [&](uint32_t first, const std::vector<uint32_t>& again, bool polls) {
        if (polls) return 0.4;
        if (steps.may_have_changed_unnamed(first, again.back())) return 0.5;
        return steps.between(first, again.back()).has_user ? 0.6 : 0.95;
      });
}

}  // namespace xtrace
