#include "view/graph_behind.h"

#include "view/calls/call_graph.h"
#include "view/hops/hop_graph.h"

namespace xtrace {

Result<Document> graph_behind(const Question& question, const Filter& filter) {
  return question.graph.trace().calls.empty() ? graph_of_hops(question, filter, false)
                                              : graph_of_calls(question, filter, false);
}

}  // namespace xtrace
