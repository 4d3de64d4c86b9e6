#pragma once

#include "view/common/filter.h"

namespace xtrace {

// The graphs that `dag` knows.

/// One node per model call.
Result<Document> graph_of_calls(const Question& question, const Filter& filter, bool unfold);
/// One node per span; of a hop seen on both sides, one for both.
Result<Document> graph_of_hops(const Question& question, const Filter& filter, bool unfold);
/// One node per user, agent and resource: the Trust DAG (link/hops/hops.h).
Result<Document> graph_of_actors(const Question& question, const Filter& filter, bool unfold);

Shape shape_of_calls();
Shape shape_of_hops();
Shape shape_of_actors();

}  // namespace xtrace
