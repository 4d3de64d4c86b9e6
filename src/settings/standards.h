#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "redact/redact.h"

namespace xtrace {

/// From whom to whom, in which kind of hop: `agent:a`, `resource:db`, `agent_to_resource`.
struct EdgeName {
  std::string from, to, kind;
  auto operator<=>(const EdgeName&) const = default;
};
using PathName = std::vector<std::string>;  ///< the actors of a chain, the principal first

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
/// What an agent may do, as its card declares it: whom it may call, which tools and resources it
/// may use.
struct AgentCard {
  std::string agent;
  std::set<std::string> may_use;  ///< names of actors, with or without what they are before it
  size_t line = 0;                ///< of its file; 0: it stands in none
  bool may(std::string_view actor) const;
};

/// What a run is held against, read by whoever knows files.
struct Standards {
  std::optional<Profile> baseline;
  std::vector<AgentCard> cards;
  std::string baseline_path, cards_path;
};

}  // namespace xtrace
