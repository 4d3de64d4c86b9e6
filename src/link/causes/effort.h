#pragma once

namespace xtrace {

/// How many chains, rounds and sweeps there are.
struct Effort {
  int chains = 3, rounds = 24, sweeps = 14, counted_sweeps = 3, answer_sweeps = 320;

  int all_sweeps() const { return chains * (rounds * (sweeps + counted_sweeps) + answer_sweeps); }
};

/// As much as there is time for: a second takes some ten million looks at a candidate, and where
/// there is more to look at there is also more to learn from.
Effort effort_for(double candidates_of_a_sweep);

}  // namespace xtrace
