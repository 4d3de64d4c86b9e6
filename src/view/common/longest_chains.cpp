#include "view/common/longest_chains.h"

#include <algorithm>

#include "link/edge.h"

namespace xtrace {

LongestChains longest_chains(size_t nodes, std::span<const std::pair<uint32_t, uint32_t>> edges) {
  constexpr int64_t kUnknown = -1, kOpen = -2;
  const EdgeIndex<uint32_t> into(nodes, edges.size(), [&](uint32_t i) { return edges[i].second; });
  LongestChains chains{std::vector<int64_t>(nodes, kUnknown), std::vector<uint32_t>(nodes)};
  struct Step {
    uint32_t node;
    size_t edge = 0;  ///< of those into it, the next one
  };
  std::vector<Step> way;  // a chain may be as long as the input
  for (uint32_t i = 0; i < nodes; ++i) {
    if (chains.to[i] == kUnknown) way.push_back({i});
    while (!way.empty()) {
      auto& [at, next] = way.back();
      const std::span<const uint32_t> before = into.of(at);
      chains.to[at] = kOpen;
      while (next < before.size() && chains.to[edges[before[next]].first] != kUnknown) ++next;
      if (next < before.size()) {
        way.push_back({edges[before[next]].first});
        continue;
      }
      int64_t most = 0;
      for (uint32_t edge : before) {
        const uint32_t from = edges[edge].first;
        most = std::max(most, chains.to[from] + 1);
        chains.open[at] += chains.to[from] == kOpen || chains.open[from] > 0;
      }
      chains.to[at] = most;
      way.pop_back();
    }
  }
  return chains;
}

}  // namespace xtrace
