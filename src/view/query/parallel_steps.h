#pragma once

#include <vector>

#include "view/query/query_steps.h"

namespace xtrace {

/// Steps of one step, or of none, that ran at once: each began before those before it had ended.
struct ParallelSteps {
  std::vector<size_t> steps;     ///< two or more, by start
  Duration total = Duration{0};  ///< the sum of what each took
  Duration wall = Duration{0};   ///< from the first start to the last end
};

/// By the first of each.
std::vector<ParallelSteps> parallel_steps(const std::vector<Step>& steps);

}  // namespace xtrace
