#pragma once

#include <string>
#include <vector>

#include "render/chart/chart.h"

namespace xtrace {

/// What a picture of causes shows: marks, alike ones as one, and a link each between two of them.
struct CausesGraph {
  struct Node {
    uint32_t mark = 0;
    uint32_t many = 1;  ///< alike marks with the same causes and effects
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

/// Of at most so many marks: those closest to `target`; without one the first ones.
CausesGraph causes_graph(const Chart& chart, uint32_t target, size_t most);

}  // namespace xtrace
