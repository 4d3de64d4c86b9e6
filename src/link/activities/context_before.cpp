#include "link/activities/context_before.h"

#include "link/graph/graph.h"

namespace xtrace {

std::vector<CallId> contexts_before(const Graph& graph) {
  const Activities& activities = graph.activities();
  std::vector<CallId> before(graph.trace().calls.size());
  for (CallId id : graph.timeline().in_order()) {
    CallId from;
    for (uint32_t i : graph.causes_of(id)) {
      const Link& link = graph.links()[i];
      if (!graph.timeline().before(link.from, id)) continue;
      if (link.kind == LinkKind::continuation) from = link.from;
      if (link.kind == LinkKind::retry && !from) from = link.from;
    }
    if (!from) continue;
    before[id.index] = tokens_sent(activities.of(from).tokens) > 0 ? from : before[from.index];
  }
  return before;
}

}  // namespace xtrace
