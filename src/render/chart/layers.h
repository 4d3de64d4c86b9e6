#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace xtrace {

/// A small graph laid out in layers: what follows is in a layer after what it follows, with few
/// lines across one another. For pictures that people read, so of kMost nodes at most.
struct Layers {
  using Edge = std::pair<uint32_t, uint32_t>;
  static constexpr size_t kMost = 300;

  std::vector<uint32_t> layer;              ///< of each node, from 0
  std::vector<std::vector<uint32_t>> rows;  ///< the nodes of each layer, in order
};

/// Edges that close a circle have no say.
Layers layers_of(uint32_t nodes, const std::vector<Layers::Edge>& edges);

}  // namespace xtrace
