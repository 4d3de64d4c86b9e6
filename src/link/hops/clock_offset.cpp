#include "link/hops/clock_offset.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace xtrace {

namespace {

struct Edge {
  double at;
  int step;  ///< 1: a range begins, -1: one ends
};

/// Ranges of one call that overlap are one: a call counts once.
void add_edges(std::vector<OffsetRange> ranges, std::vector<Edge>& edges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const OffsetRange& a, const OffsetRange& b) { return a.from < b.from; });
  for (size_t i = 0; i < ranges.size();) {
    OffsetRange all = ranges[i];
    for (++i; i < ranges.size() && ranges[i].from <= all.to; ++i)
      all.to = std::max(all.to, ranges[i].to);
    edges.push_back({all.from, 1});
    edges.push_back({all.to, -1});
  }
}

}  // namespace

ClockOffset best_offset(const std::vector<std::vector<OffsetRange>>& by_call) {
  std::vector<Edge> edges;
  for (const std::vector<OffsetRange>& ranges : by_call) add_edges(ranges, edges);
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return std::tuple(a.at, -a.step) < std::tuple(b.at, -b.step);
  });
  ClockOffset best;
  int open = 0;
  for (size_t i = 0; i + 1 < edges.size(); ++i) {
    open += edges[i].step;
    double middle = (edges[i].at + edges[i + 1].at) / 2;
    size_t calls = static_cast<size_t>(open);
    if (calls > best.calls || (calls == best.calls && std::abs(middle) < std::abs(best.offset)))
      best = {middle, calls};
  }
  return best;
}

}  // namespace xtrace
