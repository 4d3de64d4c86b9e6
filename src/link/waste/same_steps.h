#pragma once

#include <vector>

#include "link/waste/waste_search.h"

namespace xtrace {

/// Steps of one conversation that ask the same, in order of time; of steps that nobody shows and of
/// those that are claimed nothing is said.
std::vector<std::vector<uint32_t>> same_steps(const StepSearch& search);

/// Steps of one conversation that failed at the same file or address, whatever else they were
/// given, in order of time. Commands are none: they may work on more than that.
std::vector<std::vector<uint32_t>> failures_at_target(const StepSearch& search);

/// Compares each step of such rows, or of others, with the one before it, and adds a waste for each
/// run of steps for which `is_wasted(earlier, later)` is true. `confidence(first, again, polls)` is
/// that of a run, or 0 if it is no waste; `polls`: the steps ask how something goes, or waited
/// before they asked again.
template <class IsWasted, class Confidence>
void add_wasted_steps(StepSearch& search, WasteKind kind,
                      const std::vector<std::vector<uint32_t>>& rows, IsWasted is_wasted,
                      Confidence confidence) {
  for (const std::vector<uint32_t>& steps : rows) {
    std::vector<uint32_t> again;
    for (size_t i = 1; i <= steps.size(); ++i) {
      if (i < steps.size() && is_wasted(steps[i - 1], steps[i])) {
        again.push_back(steps[i]);
        continue;
      }
      if (again.empty()) continue;
      const uint32_t first = steps[i - 1 - again.size()];
      const bool polls =
          search.steps.is_polling(first) || search.steps.waited_between(first, again.back());
      if (const double sure = confidence(first, again, polls); sure > 0)
        search.add_steps(kind, sure, first, again).is_polling = polls;
      again.clear();
    }
  }
}

}  // namespace xtrace
