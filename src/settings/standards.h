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

/// From how many learned runs on a baseline judges at all, and from how many on it judges figures.
/// A run like those learned exceeds the most that n of them had with a chance of 1 in n + 1
/// (exchangeable runs; Wilks 1941): of fewer, a verdict would be chance. A choice within that.
inline constexpr int64_t kFewestRuns = 3, kFewestForFigures = 5;

/// What runs had of a figure that each of them has, such as what it cost.
struct Figure {
  int64_t runs = 0;  ///< of which it is on record
  int64_t used = 0;  ///< in which it is more than 0
  double least = 0, median = 0;
  double deviation = 0;  ///< the median absolute deviation from the median
  Bound bound{};
  /// Is it far above what runs had? By the modified z-score of Iglewicz and Hoaglin (1993), more
  /// than 3.5 of 0.6745 · (x - median) / MAD, and beyond the bound. If runs hardly differ, their
  /// spread is taken as a tenth of the median, and at least `least_step`.
  bool is_exceeded_by(double value, double least_step) const;
};

// The figures of a run, by their names in files.
inline constexpr std::string_view kCostFigure = "cost_usd", kCallsFigure = "model_calls",
                                  kFailuresFigure = "failures", kToolFigure = "tool_calls";

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
  bool is_without_figures = false;  ///< an older version learned it, without them
  std::map<std::string, Figure, std::less<>> figures;
  std::map<std::string, Figure> tools;  ///< how often each was used
  std::optional<int64_t> group_paths;   ///< to how many folders files were grouped
};
/// What an agent may do, as its card declares it: whom it may call, which tools and resources it
/// may use.
struct AgentCard {
  std::string agent;
  std::set<std::string> may_use;  ///< names of actors, with or without what they are before it
  size_t line = 0;                ///< of its file; 0: it is in none
  bool may(std::string_view actor) const;
  /// `resource:tool:Read` may be called so, `tool:Read` or `Read`. Is that one of them?
  template <class Same>
  static bool is_name_of(std::string_view declared, std::string_view actor, Same same) {
    for (;;) {
      if (same(declared, actor)) return true;
      const size_t colon = actor.find(':');
      if (colon == std::string_view::npos) return false;
      actor.remove_prefix(colon + 1);
    }
  }
};

/// What a run is held against, read by whoever knows files.
struct Standards {
  std::optional<Profile> baseline;
  std::vector<AgentCard> cards;
  std::string baseline_path, cards_path;
};

}  // namespace xtrace
