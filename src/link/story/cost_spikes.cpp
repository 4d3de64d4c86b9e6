#include "link/story/cost_spikes.h"

#include <algorithm>
#include <unordered_map>

namespace xtrace {

namespace {

constexpr double kTimes = 3, kShare = 0.05;

/// Of all but the one at `left_out`, lower of the two in the middle.
int64_t median_without(const std::vector<int64_t>& sorted, size_t left_out) {
  size_t middle = (sorted.size() - 2) / 2;
  return sorted[middle < left_out ? middle : middle + 1];
}

}  // namespace

void find_cost_spikes(Story& story) {
  std::unordered_map<uint32_t, std::vector<int64_t>> of_task;
  for (const StoryNode& node : story.nodes)
    if (node.cost >= 0) of_task[node.task.index].push_back(node.cost);
  std::unordered_map<uint32_t, double> sums;
  for (auto& [task, costs] : of_task) {
    std::sort(costs.begin(), costs.end());
    for (int64_t cost : costs) sums[task] += static_cast<double>(cost);
  }
  for (StoryNode& node : story.nodes) {
    if (node.cost <= 0) continue;
    const std::vector<int64_t>& costs = of_task[node.task.index];
    if (costs.size() < 2) continue;
    auto own = std::lower_bound(costs.begin(), costs.end(), node.cost);
    auto median =
        static_cast<double>(median_without(costs, static_cast<size_t>(own - costs.begin())));
    auto cost = static_cast<double>(node.cost);
    if (median > 0 && cost >= kTimes * median && cost >= kShare * sums[node.task.index])
      node.cost_spike = cost / median;
  }
}

}  // namespace xtrace
