#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace xtrace {

/// The most candidates that a child is given: those that began last.
inline constexpr size_t kMostCandidates = 64;

/// The calls into one actor and the calls it made, of which it is not known which led to which.
/// Times are microseconds since some moment.
struct AssignmentProblem {
  struct Parent {
    double start = 0, end = 0;
    uint32_t kind = 0;
  };
  struct Child {
    double start = 0, end = 0;
    uint32_t call = 0;
    uint32_t first = 0, count = 0;  ///< its candidates
  };
  std::vector<Parent> parents;
  std::vector<Child> children;       ///< in order of start
  std::vector<uint32_t> candidates;  ///< indices of parents, ascending by start
  uint32_t kinds = 1, calls = 1;
  double resolution = 1;       ///< of the clock
  bool calls_missing = false;  ///< calls are missing: also the only candidate may be none's parent
  uint64_t seed = 0;
};

/// How likely each candidate is the parent.
struct Solution {
  std::vector<float>
      probability;  ///< beside AssignmentProblem::candidates; what misses to 1 is an orphan's
};

/// Weighs all assignments of children to their candidates by how well every parent's calls then fit
/// the pattern that is learned from all of them: Monte-Carlo EM. Chains of assignments are annealed
/// while they learn the pattern; then a candidate is as likely as it is often the parent in them.
/// The problem is that of TraceWeaver (SIGCOMM 2024); here no order of calls is known beforehand.
Solution solve(const AssignmentProblem& problem);

}  // namespace xtrace
