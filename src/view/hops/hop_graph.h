#pragma once

#include "view/common/filter.h"
#include "view/common/view.h"

namespace xtrace {

/// The graph of `dag` for spans: a node for each; of a hop seen on both sides, one for both.
Result<Document> graph_of_hops(const Question& question, const Filter& filter, bool unfold);
Shape shape_of_hops();

}  // namespace xtrace
