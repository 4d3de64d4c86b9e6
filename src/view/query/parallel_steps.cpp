#include "view/query/parallel_steps.h"

#include <algorithm>
#include <map>

namespace xtrace {

std::vector<ParallelSteps> parallel_steps(const std::vector<Step>& steps) {
  std::map<size_t, std::vector<size_t>> siblings;  // by the step that they are parts of
  for (size_t i = 0; i < steps.size(); ++i)
    if (steps[i].start.time != kNoTime && steps[i].took > Duration{0})
      siblings[steps[i].parent].push_back(i);
  std::vector<ParallelSteps> found;
  for (auto& [parent, parts] : siblings) {
    std::stable_sort(parts.begin(), parts.end(),
                     [&](size_t a, size_t b) { return steps[a].start.time < steps[b].start.time; });
    ParallelSteps group;
    Time first = kNoTime, last = kNoTime;
    auto finish = [&] {
      group.wall = elapsed(first, last);
      if (group.steps.size() > 1) found.push_back(group);
      group = {};
    };
    for (size_t i : parts) {
      const Step& step = steps[i];
      if (!group.steps.empty() && step.start.time >= last) finish();
      if (group.steps.empty()) first = step.start.time;
      Time end = after(step.start.time, step.took);
      last = group.steps.empty() ? end : std::max(last, end);
      group.steps.push_back(i);
      group.total += step.took;
    }
    if (!group.steps.empty()) finish();
  }
  std::sort(found.begin(), found.end(), [](const ParallelSteps& a, const ParallelSteps& b) {
    return a.steps.front() < b.steps.front();
  });
  return found;
}

}  // namespace xtrace
