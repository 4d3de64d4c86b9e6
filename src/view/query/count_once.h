#pragma once

#include "view/query/query_steps.h"

namespace xtrace {

/// Decides which steps' time the totals count: what took place in the time of another step is part
/// of its time, and of attempts the last one's counts.
void count_time(std::vector<Step>& steps);

/// Fills in what of each step's tokens and cost the totals count, as the ledger settled it, and
/// where a figure that they do not count is counted.
void count_usage(const Graph& graph, std::vector<Step>& steps);

}  // namespace xtrace
