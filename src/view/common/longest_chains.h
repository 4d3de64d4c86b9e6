#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace xtrace {

/// The longest chains of edges in a graph.
struct LongestChains {
  std::vector<int64_t> to;     ///< by node: edges of the longest that ends there
  std::vector<uint32_t> open;  ///< by node: edges into it from what is in a circle or behind one
};

/// Edges are from one node to another. Of a circle, the edge that closes it does not count.
LongestChains longest_chains(size_t nodes, std::span<const std::pair<uint32_t, uint32_t>> edges);

}  // namespace xtrace
