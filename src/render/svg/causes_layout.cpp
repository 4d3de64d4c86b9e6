#include "render/svg/causes_layout.h"

#include <algorithm>

#include "render/chart/layers.h"

namespace xtrace {

namespace {

constexpr int64_t kBetween = 12;     // boxes of a layer
constexpr int64_t kLineHeight = 10;  // of a line that passes a layer
constexpr int64_t kBands = 16;
constexpr size_t kMostBends = 3000;

/// The graph with a node for each layer that a link passes.
struct Bent {
  uint32_t nodes = 0;
  std::vector<Layers::Edge> edges;
  std::vector<std::vector<uint32_t>> bends;  ///< of each link
};

int64_t band_of(uint32_t layer) {
  return layer / CausesLayout::kColumns;
}

Bent bend(const CausesGraph& graph, const std::vector<uint32_t>& layer) {
  Bent bent{static_cast<uint32_t>(graph.nodes.size()), {}, {}};
  size_t left = kMostBends;
  for (const CausesGraph::Link& link : graph.links) {
    const uint32_t from = layer[link.from], to = layer[link.to];
    uint32_t at = link.from;
    bent.bends.emplace_back();
    if (to > from + 1 && band_of(from) == band_of(to) && left >= to - from)
      for (uint32_t between = from + 1; between < to; ++between, --left) {
        bent.edges.emplace_back(at, bent.nodes);
        bent.bends.back().push_back(at = bent.nodes++);
      }
    bent.edges.emplace_back(at, link.to);
  }
  return bent;
}

}  // namespace

CausesLayout lay_causes(const CausesGraph& graph, int64_t left, int64_t top) {
  std::vector<Layers::Edge> edges;
  for (const CausesGraph::Link& link : graph.links) edges.emplace_back(link.from, link.to);
  const uint32_t nodes = static_cast<uint32_t>(graph.nodes.size());
  const Bent bent = bend(graph, layers_of(nodes, edges).layer);
  const Layers layers = layers_of(bent.nodes, bent.edges);
  std::vector<CausesLayout::Box> all(bent.nodes);
  const auto height_of = [&](uint32_t node) {
    return node < nodes ? CausesLayout::kBoxHeight + kBetween : kLineHeight;
  };
  int64_t y = top;
  for (size_t first = 0; first < layers.rows.size(); first += CausesLayout::kColumns) {
    const size_t end = std::min(layers.rows.size(), first + CausesLayout::kColumns);
    std::vector<int64_t> heights;
    for (size_t i = first; i < end; ++i) {
      heights.push_back(0);
      for (uint32_t node : layers.rows[i]) heights.back() += height_of(node);
    }
    const int64_t highest = *std::max_element(heights.begin(), heights.end());
    for (size_t i = first; i < end; ++i) {
      int64_t at = y + (highest - heights[i - first]) / 2;
      for (uint32_t node : layers.rows[i]) {
        const int64_t column = static_cast<int64_t>(i - first);
        all[node] = {left + column * (CausesLayout::kBoxWidth + CausesLayout::kAcross),
                     at + (node < nodes ? kBetween / 2 : kLineHeight / 2),
                     static_cast<int64_t>(first)};
        at += height_of(node);
      }
    }
    y += highest + kBands;
  }
  CausesLayout layout;
  layout.bottom = y;
  for (uint32_t i = 0; i < bent.bends.size(); ++i) {
    layout.ways.push_back({i, {}});
    for (uint32_t node : bent.bends[i]) layout.ways.back().bends.push_back(all[node]);
  }
  all.resize(nodes);
  layout.boxes = std::move(all);
  return layout;
}

}  // namespace xtrace
