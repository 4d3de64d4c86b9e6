#include "link/causes/assignment.h"

#include "link/causes/chain.h"

namespace xtrace {

Solution solve(const Riddle& riddle) {
  Solution solution;
  solution.of_candidate.resize(riddle.candidates.size());
  double open = 0;  // candidates of children that have several
  for (const Riddle::Child& child : riddle.children) {
    if (is_open(riddle, child))
      open += child.count;
    else if (child.count == 1)
      solution.of_candidate[child.first] = 1;
  }
  if (open == 0) return solution;
  // Millions that could all have been one another's: nobody can tell, and nobody should wait.
  constexpr double kHopeless = 4e6;
  if (open > kHopeless) {
    for (const Riddle::Child& child : riddle.children)
      for (uint32_t i = child.first; i < child.first + child.count; ++i)
        solution.of_candidate[i] = 1.0f / static_cast<float>(child.count);
    return solution;
  }
  Effort effort = effort_for(open);
  for (int nth = 0; nth < effort.chains; ++nth) {
    Chain chain(riddle, effort, riddle.seed + static_cast<uint64_t>(nth));
    chain.begin_with(nth == 1);
    chain.learn_all();
    chain.anneal();
    chain.answer(solution.of_candidate, 1.0f / static_cast<float>(effort.chains));
  }
  return solution;
}

}  // namespace xtrace
