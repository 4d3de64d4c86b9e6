#include "link/activities/span_totals.h"

#include "link/graph/graph.h"

namespace xtrace {

void find_span_totals(const Graph& graph, Activities& activities) {
  const Hops& hops = graph.hops();
  std::vector<bool> is_seen(hops.all.size());
  for (size_t i = 0; i < hops.all.size(); ++i) {
    const ActivityId call = activities.of_hop[i];
    const Activity& asked = activities[call];
    if (asked.kind != Activity::Kind::model_call || asked.tokens == Tokens()) continue;
    // Above what was seen, all is marked.
    HopId at(i);
    while (hops[at].cause && is_recorded(hops[at]) && !is_seen[hops[at].cause.index]) {
      at = hops[at].cause;
      is_seen[at.index] = true;
      Activity& around = activities.all[activities.of_hop[at.index].index];
      if (around.kind == Activity::Kind::agent_run && around.tokens != Tokens())
        around.totals = call;
    }
  }
}

}  // namespace xtrace
