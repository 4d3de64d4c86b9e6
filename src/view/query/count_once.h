#pragma once

#include "view/query/query_steps.h"

namespace xtrace {

/// Decides for each figure of each step whether the totals count it. What took place in the time of
/// another step is part of its time. Attempts count as the last one went. Tokens and cost that a
/// step and the steps within it tell of count once: where those within tell of all of it, they
/// count; where they tell of less and the step calls no model itself, the step does; where it does
/// call one, both do.
void count_once(std::vector<Step>& steps);

}  // namespace xtrace
