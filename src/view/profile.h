#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "view/hop_scene.h"
#include "view/paths.h"

namespace xtrace {

// What runs look like, so that another run can be held against them (after the trust server of
// design 004: novel edges, resources and paths, and what is more than 95 of 100 runs had).

/// From whom to whom, in which kind of hop: `agent:a`, `resource:db`, `agent_to_resource`.
struct EdgeName {
  std::string from, to, kind;
  auto operator<=>(const EdgeName&) const = default;
};
using PathName = std::vector<std::string>;  ///< the actors of a chain, the principal first

/// What one run did, by name.
struct RunTraits {
  std::map<EdgeName, std::vector<HopId>> edges;
  std::map<std::string, std::vector<HopId>> resources;
  std::map<PathName, std::vector<HopId>> paths;
  std::map<std::string, std::set<std::string>> targets;  ///< by agent: whom it called
  std::vector<HopId> deepest;  ///< the hops at the end of the longest path
  size_t depth = 0;            ///< hops of that path
};
RunTraits traits_of(const HopScene& scene, const Paths& paths, const Run& run);

/// What many runs did.
struct Profile {
  struct Edge {
    int64_t runs = 0;      ///< in which it was seen
    double calls_p95 = 0;  ///< of how often it was, in those
  };
  int64_t runs = 0;
  double depth_p95 = 0;
  std::map<EdgeName, Edge> edges;
  std::map<std::string, double> fan_out_p95;  ///< by agent: of how many it called
  std::map<std::string, int64_t> resources;   ///< runs in which each was reached
  std::map<PathName, int64_t> paths;
};
Profile learn(const std::vector<RunTraits>& runs);

/// The value that so large a share of them does not exceed, between two by linear interpolation; 0
/// of none.
double percentile(std::vector<double> values, double share);

/// What an agent may do, as its card declares it: whom it may call, which tools and resources it
/// may use (design 004, capability alignment).
struct AgentCard {
  std::string agent;
  std::set<std::string> may_use;  ///< names of actors, with or without what they are before it
  bool may(std::string_view actor) const;
};

}  // namespace xtrace
