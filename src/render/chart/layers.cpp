#include "render/chart/layers.h"

#include <algorithm>
#include <numeric>

namespace xtrace {

namespace {

using Edges = std::vector<Layers::Edge>;

std::vector<std::vector<uint32_t>> next_of(uint32_t nodes, const Edges& edges) {
  std::vector<std::vector<uint32_t>> next(nodes);
  for (auto [from, to] : edges)
    if (from != to) next[from].push_back(to);
  return next;
}

/// Nodes in an order in which each comes after those it follows; a circle opens before its first
/// one.
std::vector<uint32_t> order_of(const std::vector<std::vector<uint32_t>>& next) {
  struct Step {
    uint32_t node;
    size_t at;
  };
  std::vector<bool> seen(next.size());
  std::vector<uint32_t> order;
  std::vector<Step> way;
  for (uint32_t first = 0; first < next.size(); ++first) {
    if (seen[first]) continue;
    seen[first] = true;
    way.push_back({first, next[first].size()});
    while (!way.empty()) {
      if (way.back().at == 0) {
        order.push_back(way.back().node);
        way.pop_back();
        continue;
      }
      const uint32_t to = next[way.back().node][--way.back().at];
      if (seen[to]) continue;
      seen[to] = true;
      way.push_back({to, next[to].size()});
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

/// As many steps as the longest way to a node has.
std::vector<uint32_t> longest_ways(const std::vector<std::vector<uint32_t>>& next) {
  const std::vector<uint32_t> order = order_of(next);
  std::vector<uint32_t> place(next.size()), layer(next.size(), 0);
  for (uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  for (uint32_t node : order)
    for (uint32_t to : next[node])
      if (place[to] > place[node]) layer[to] = std::max(layer[to], layer[node] + 1);
  return layer;
}

/// Each where the middle of its neighbours is now.
void sweep(const std::vector<std::vector<uint32_t>>& neighbours, const std::vector<uint32_t>& layer,
           bool is_forward, Layers& layers) {
  std::vector<double> height(layer.size()), middle(layer.size());
  const auto number = [&](const std::vector<uint32_t>& row) {
    for (size_t i = 0; i < row.size(); ++i)
      height[row[i]] = (static_cast<double>(i) + 0.5) / static_cast<double>(row.size());
  };
  for (const std::vector<uint32_t>& row : layers.rows) number(row);
  for (size_t step = 0; step < layers.rows.size(); ++step) {
    std::vector<uint32_t>& row = layers.rows[is_forward ? step : layers.rows.size() - 1 - step];
    for (uint32_t node : row) {
      double sum = 0, count = 0;
      for (uint32_t other : neighbours[node])
        if (is_forward ? layer[other] < layer[node] : layer[other] > layer[node]) {
          sum += height[other];
          ++count;
        }
      middle[node] = count > 0 ? sum / count : height[node];
    }
    std::stable_sort(row.begin(), row.end(),
                     [&](uint32_t a, uint32_t b) { return middle[a] < middle[b]; });
    number(row);
  }
}

}  // namespace

Layers layers_of(uint32_t nodes, const Edges& edges) {
  constexpr int kSweeps = 4;
  Layers layers;
  layers.layer = longest_ways(next_of(nodes, edges));
  for (uint32_t i = 0; i < nodes; ++i) {
    if (layers.rows.size() <= layers.layer[i]) layers.rows.resize(layers.layer[i] + 1);
    layers.rows[layers.layer[i]].push_back(i);
  }
  std::vector<std::vector<uint32_t>> neighbours(nodes);
  for (auto [from, to] : edges) {
    neighbours[from].push_back(to);
    neighbours[to].push_back(from);
  }
  for (int i = 0; i < kSweeps; ++i) sweep(neighbours, layers.layer, i % 2 == 0, layers);
  return layers;
}

}  // namespace xtrace
