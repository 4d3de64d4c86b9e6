#pragma once

#include "render/svg/causes_graph.h"

namespace xtrace {

/// Where the boxes of causes stand: in layers from left to right, and where these are more than a
/// page is wide, in bands below one another.
struct CausesLayout {
  static constexpr int64_t kBoxWidth = 160, kBoxHeight = 34, kAcross = 38, kColumns = 5;
  struct Box {
    int64_t x = 0, y = 0, band = 0;
  };
  struct Way {
    uint32_t link = 0;
    std::vector<Box> bends;  ///< where it passes layers between its ends
  };
  std::vector<Box> boxes;  ///< of each node
  std::vector<Way> ways;   ///< of each link
  int64_t bottom = 0;
};

CausesLayout lay_causes(const CausesGraph& graph, int64_t left, int64_t top);

}  // namespace xtrace
