#include "link/waste/same_steps.h"

#include <algorithm>
#include <map>

namespace xtrace {

std::vector<std::vector<uint32_t>> same_steps(const StepSearch& search) {
  std::vector<std::vector<uint32_t>> all;
  for (uint32_t conversation : search.conversations) {
    std::map<decltype(search.steps[0].asks()), std::vector<uint32_t>> by_question;
    for (uint32_t i : search.steps.by_conversation()[conversation]) {
      const ToolStep& step = search.steps[i];
      if (step.use().arguments != 0 && search.shows(i)) by_question[step.asks()].push_back(i);
    }
    for (auto& [question, same] : by_question)
      if (same.size() > 1) all.push_back(std::move(same));
  }
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<std::vector<uint32_t>> failures_at_target(const StepSearch& search) {
  std::vector<std::vector<uint32_t>> all;
  for (uint32_t conversation : search.conversations) {
    std::map<StringId, std::vector<uint32_t>> by_target;
    for (uint32_t i : search.steps.by_conversation()[conversation]) {
      const ToolStep& step = search.steps[i];
      if (step.failed() && step.use().target && !step.use().command && search.shows(i))
        by_target[step.use().target].push_back(i);
    }
    for (auto& [target, failed] : by_target)
      if (failed.size() > 1) all.push_back(std::move(failed));
  }
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace xtrace
