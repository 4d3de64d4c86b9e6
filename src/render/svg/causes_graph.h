#pragma once

#include <string>
#include <vector>

#include "render/chart/chart.h"

namespace xtrace {

/// What a picture of causes shows: marks, alike ones as one, and a link each between two of them.
struct CausesGraph {
  /// How much is one box: alike marks with the same causes and effects; also what a lane did one
  /// after the other without anything remarkable; or all of that in a turn.
  enum class Fold : uint8_t { alike, runs, turns };
  struct Node {
    uint32_t mark = 0;       ///< the first
    uint32_t many = 1;       ///< marks
    bool is_folded = false;  ///< they are not alike
    bool critical = false;   ///< one of them is on the critical path
    int64_t took_us = 0;     ///< all of those that are folded, as far as that is known
    int64_t cost_nusd = Chart::kUnknown;
  };
  struct Link {
    uint32_t from = 0, to = 0;
    const Chart::Arrow* arrow = nullptr;  ///< the surest
    std::string types;
  };
  std::vector<Node> nodes;
  std::vector<Link> links;
  uint32_t target = Chart::kNone;  ///< a node
  size_t left_out = 0;             ///< marks
};

/// Of at most so many marks: those closest to `target`; without one the first ones. Failures,
/// retries, spawns and the calls that cost most are never folded.
CausesGraph causes_graph(const Chart& chart, uint32_t target, size_t most,
                         CausesGraph::Fold fold = CausesGraph::Fold::alike);

}  // namespace xtrace
