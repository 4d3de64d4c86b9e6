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

/// What is in doubt. Callers that a list of candidates was cut to leave out count as well.
Doubt doubt_of(const AssignmentProblem& problem) {
  const std::vector<double> looks = looks_at(problem);
  std::vector<double> starts, ends;
  for (const AssignmentProblem::Parent& parent : problem.parents) {
    starts.push_back(parent.start);
    ends.push_back(parent.end);
  }
  std::ranges::sort(starts);
  std::ranges::sort(ends);
  Doubt doubt;
  for (const AssignmentProblem::Child& child : problem.children) {
    if (!is_ambiguous(problem, child)) continue;
    ++doubt.calls;
    const auto open = std::ranges::upper_bound(starts, child.start) - starts.begin() -
                      (std::ranges::lower_bound(ends, child.start) - ends.begin());
    const bool is_cut = child.count == kMostCandidates;
    doubt.callers +=
        is_cut ? std::max<double>(child.count, static_cast<double>(open)) : child.count;
    for (uint32_t i = child.first; i < child.first + child.count; ++i)
      doubt.looks += looks[problem.candidates[i]];
  }
  return doubt;
}

}  // namespace

Solution solve(const AssignmentProblem& problem) {
  Solution solution;
  solution.probability.resize(problem.candidates.size());
  for (const AssignmentProblem::Child& child : problem.children)
    if (child.count == 1 && !is_ambiguous(problem, child)) solution.probability[child.first] = 1;
  const Doubt doubt = doubt_of(problem);
  if (doubt.looks == 0) return solution;
  const Effort effort = effort_for(doubt);
  // So many that could all have been one another's: each is as likely as the others.
  if (effort.is_none())
    for (const AssignmentProblem::Child& child : problem.children)
      for (uint32_t i = child.first; i < child.first + child.count; ++i)
        solution.probability[i] = 1.0f / static_cast<float>(child.count);
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
