#include "link/causes/assignment.h"

#include <algorithm>
#include <vector>

#include "link/causes/chain.h"

namespace xtrace {

namespace {

/// What it takes to look at each parent, which passes over what the parent called before. An actor
/// that calls a few others for each call into it is the measure of that; a loop takes more.
std::vector<double> looks_at(const AssignmentProblem& problem) {
  constexpr double kFew = 8, kMost = 16;  // children; looks, as no more than 128 are passed over
  std::vector<double> looks(problem.parents.size());
  for (const AssignmentProblem::Child& child : problem.children)
    for (uint32_t i = child.first; i < child.first + child.count; ++i)
      looks[problem.candidates[i]] += 1.0 / child.count;
  for (double& children : looks) children = std::clamp(children / kFew, 1.0, kMost);
  return looks;
}

}  // namespace

Solution solve(const AssignmentProblem& problem) {
  Solution solution;
  solution.probability.resize(problem.candidates.size());
  double open = 0;  // candidates of children that have several
  size_t in_doubt = 0;
  const std::vector<double> looks = looks_at(problem);
  for (const AssignmentProblem::Child& child : problem.children) {
    if (is_ambiguous(problem, child)) {
      ++in_doubt;
      for (uint32_t i = child.first; i < child.first + child.count; ++i)
        open += looks[problem.candidates[i]];
    } else if (child.count == 1) {
      solution.probability[child.first] = 1;
    }
  }
  if (open == 0) return solution;
  // Millions that could all have been one another's: nobody can tell, and nobody should wait. A
  // sweep looks at each candidate once and a second is good for sixteen million looks (effort.h),
  // so from here on not even the least effort ends within some ten seconds.
  constexpr double kHopeless = 4e6;
  if (open > kHopeless) {
    for (const AssignmentProblem::Child& child : problem.children)
      for (uint32_t i = child.first; i < child.first + child.count; ++i)
        solution.probability[i] = 1.0f / static_cast<float>(child.count);
    return solution;
  }
  Effort effort = effort_for(open, in_doubt);
  for (int nth = 0; nth < effort.chains; ++nth) {
    MarkovChain chain(problem, effort, problem.seed + static_cast<uint64_t>(nth));
    chain.begin_with(nth == 1);
    chain.learn_all();
    chain.anneal();
    chain.sample_posterior(solution.probability, 1.0f / static_cast<float>(effort.chains));
  }
  return solution;
}

}  // namespace xtrace
