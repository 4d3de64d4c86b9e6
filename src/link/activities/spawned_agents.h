#pragma once

#include <set>
#include <string_view>

#include "link/graph/graph.h"

namespace xtrace {

/// Tells of the runs of agents that spans record whether a tool or another agent started them. A
/// service that is neither may start one too.
class SpawnedAgents {
 public:
  explicit SpawnedAgents(const Graph& graph);
  bool has(const Hop& run) const;

 private:
  const Graph& graph_;
  std::set<std::string_view> agents_;  ///< those that have names
};

}  // namespace xtrace
