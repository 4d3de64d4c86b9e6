#pragma once

#include "view/common/filter.h"
#include "view/common/view.h"

namespace xtrace {

/// The graph of `dag --view actors`: a node for each user, agent and resource, the Trust DAG
/// (link/hops/hops.h).
Result<Document> graph_of_actors(const Question& question, const Filter& filter, bool unfold);
Shape shape_of_actors();

}  // namespace xtrace
