#pragma once

#include "view/query/query_steps.h"

namespace xtrace {

/// Decides for each figure of each step whether the totals count it. What took place in the time of
/// another step is part of its time. Of attempts the last one's time counts, and what all of them
/// spent: it was paid for. Tokens and cost that a step and the steps within it tell of count once:
/// where it is a total of calls or the sum of what those within tell, they count; where they tell
/// of less and the step calls no model itself, the step does; else, and where they tell of more, so
/// that the step's own cannot be their sum, both do.
void count_once(std::vector<Step>& steps);

}  // namespace xtrace
