#pragma once

#include "view/common/filter.h"
#include "view/common/view.h"

namespace xtrace {

/// The graph of `dag` for model calls: a node for each.
Result<Document> graph_of_calls(const Question& question, const Filter& filter, bool unfold);
Shape shape_of_calls();

}  // namespace xtrace
