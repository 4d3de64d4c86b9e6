#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "redact/redact.h"
#include "view/hops/hop_scene.h"
#include "view/hops/paths.h"

namespace xtrace {

// What runs look like, so that another run can be held against them: for edges, resources and paths
// that are new, and for more of anything than their 95th percentile (Bound).

/// From whom to whom, in which kind of hop: `agent:a`, `resource:db`, `agent_to_resource`.
struct EdgeName {
  std::string from, to, kind;
  auto operator<=>(const EdgeName&) const = default;
};
using PathName = std::vector<std::string>;  ///< the actors of a chain, the principal first

/// What one run did, by the names that the log gives; they pass the Door where they are shown.
struct RunTraits {
  std::map<EdgeName, std::vector<HopId>> edges;
  std::map<std::string, std::vector<HopId>> resources;
  std::map<PathName, std::vector<HopId>> paths;
  std::map<std::string, std::set<std::string>> targets;  ///< by agent: whom it called
  std::vector<HopId> deepest;  ///< the hops at the end of the longest path
  size_t depth = 0;            ///< hops of that path
  /// By name: what is shown of those that redaction replaces, without the numbers, which may be
  /// others in the next answer: `user:[REDACTED:email]`.
  std::map<std::string, std::string> replaced;
};
RunTraits traits_of(const HopScene& scene, const Paths& paths, const Run& run);

/// The same run by other names of its actors. What then bears one name is one.
RunTraits renamed(const RunTraits& run, const std::map<std::string, std::string>& names);

/// What runs had of something that is counted.
struct Bound {
  double p95 = 0;   ///< what 95 of 100 runs do not exceed
  double most = 0;  ///< what none did
  size_t line = 0;  ///< where a file says so; 0: nowhere
  /// Is it more than 95 of 100 runs had, and more than one of many would have anyway? More than any
  /// run had, or than twice what 95 of 100 had: a wild one among the learned hides no other.
  bool is_exceeded_by(double count) const {
    return count > p95 && (count > most || count > 2 * p95);
  }
};

/// What many runs did.
struct Profile {
  struct Edge {
    int64_t runs = 0;  ///< in which it was seen
    Bound calls;       ///< how often it was, in those
  };
  int64_t runs = 0;
  Redaction hides = Redaction::all;  ///< when it was learned
  Bound depth;
  std::map<EdgeName, Edge> edges;
  std::map<std::string, Bound> fan_out;      ///< by agent: how many it called
  std::map<std::string, int64_t> resources;  ///< runs in which each was reached
  std::map<PathName, int64_t> paths;
};
/// The names of actors in it.
std::set<std::string> names_in(const Profile& profile);
/// Names that redaction replaces are learned without their numbers.
Profile learn(const std::vector<RunTraits>& runs);

/// The value that so large a share of them does not exceed, between two by linear interpolation; 0
/// of none.
double percentile(std::vector<double> values, double share);

/// What an agent may do, as its card declares it: whom it may call, which tools and resources it
/// may use.
struct AgentCard {
  std::string agent;
  std::set<std::string> may_use;  ///< names of actors, with or without what they are before it
  size_t line = 0;                ///< of its file; 0: it stands in none
  bool may(std::string_view actor) const;
};

}  // namespace xtrace
