#include "link/story/task_costs.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace xtrace {

namespace {

constexpr double kTimes = 3, kShare = 0.05;
constexpr size_t kAmongFree = 4;  // of two or three steps, a free one is as unusual as a paid one

/// Of all but the one at `left_out`, lower of the two in the middle.
int64_t median_without(const std::vector<int64_t>& sorted, size_t left_out) {
  size_t middle = (sorted.size() - 2) / 2;
  return sorted[middle < left_out ? middle : middle + 1];
}

}  // namespace

void TaskCosts::add(std::vector<int64_t> costs) {
  std::ranges::sort(costs);
  for (int64_t cost : costs) sum_ += static_cast<double>(cost);
  const auto middle = static_cast<std::ptrdiff_t>(sorted_.size());
  sorted_.insert(sorted_.end(), costs.begin(), costs.end());
  std::inplace_merge(sorted_.begin(), sorted_.begin() + middle, sorted_.end());
}

void TaskCosts::remove(std::vector<int64_t> costs) {
  std::ranges::sort(costs);
  for (int64_t cost : costs) sum_ -= static_cast<double>(cost);
  std::vector<int64_t> left;
  left.reserve(sorted_.size());
  std::ranges::set_difference(sorted_, costs, std::back_inserter(left));
  sorted_ = std::move(left);
}

double TaskCosts::spike_of(int64_t cost) const {
  if (cost <= 0 || sorted_.size() < 2 || static_cast<double>(cost) < kShare * sum_) return 0;
  const auto own = std::ranges::lower_bound(sorted_, cost);
  const auto median =
      static_cast<double>(median_without(sorted_, static_cast<size_t>(own - sorted_.begin())));
  if (median == 0)
    return sorted_.size() >= kAmongFree ? std::numeric_limits<double>::infinity() : 0;
  return static_cast<double>(cost) >= kTimes * median ? static_cast<double>(cost) / median : 0;
}

}  // namespace xtrace
