#include "link/activities/spawned_agents.h"

namespace xtrace {

SpawnedAgents::SpawnedAgents(const Graph& graph) : graph_(graph) {
  for (const Activity& one : graph.activities().all)
    if (one.kind == Activity::Kind::agent_run && !one.agent.recorded().empty())
      agents_.insert(one.agent.recorded());
}

bool SpawnedAgents::has(const Hop& run) const {
  if (run.from && agents_.contains(graph_.hops()[run.from].label())) return true;  // a handoff
  constexpr int kFurthest = 16;  // spans of services in between
  HopId at = run.cause;
  for (int step = 0; step < kFurthest && at; ++step, at = graph_.hops()[at].cause) {
    const Activity& around = graph_.activities().of(at);
    if (!around.agent.recorded().empty() || around.kind == Activity::Kind::tool_run) return true;
  }
  return false;
}

}  // namespace xtrace
