#include "link/call_pattern.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace xtrace {

CallPattern::CallPattern(uint32_t kinds, uint32_t calls, double resolution)
    : kinds_(kinds),
      calls_(calls),
      states_(2 * (1 + 2 * calls)),
      outcomes_(calls + 2),
      per_resolution_(1 / resolution) {
  counts_.resize(size_t{kinds_} * states_ * outcomes_);
  counted_row_.resize(counts_.size());
  log_chance_.resize(counts_.size());
  rows_.resize(counts_.size());
  for (uint32_t b = 0; b < kBins; ++b) {
    uint32_t octaves = b >= kBefore ? b - kBefore : kBefore - 1 - b;
    double width = std::exp2((octaves + 1.0) / kPerOctave) - std::exp2(octaves * 1.0 / kPerOctave);
    log_width_.push_back(std::log(width * resolution));
  }
  forget_counts();
  learn();
}

/// Quarters of octaves of 1 + |gap|, gaps against the clock below the middle.
uint32_t CallPattern::bin(double gap) const {
  float size = static_cast<float>(1 + std::fabs(gap) * per_resolution_);
  uint32_t bits = std::bit_cast<uint32_t>(size), fraction = bits & 0x7fffff;
  // The mantissas of 2^¼, 2^½ and 2^¾.
  constexpr uint32_t kQuarter = 0x1837f0, kHalf = 0x3504f3, kThreeQuarters = 0x5744fd;
  uint32_t quarters = ((bits >> 23) - 127) * kPerOctave + (fraction >= kQuarter) +
                      (fraction >= kHalf) + (fraction >= kThreeQuarters);
  if (gap >= 0) return kBefore + std::min(quarters, kAfter - 1);
  return quarters == 0 ? kBefore : kBefore - 1 - std::min(quarters, kBefore - 1);
}

void CallPattern::forget_counts() {
  std::fill(counts_.begin(), counts_.end(), 0.0);
  std::fill(counted_row_.begin(), counted_row_.end(), kNoRow);
  gaps_.clear();
}

void CallPattern::count(uint32_t kind, State state, uint32_t outcome, double gap, double weight) {
  size_t at = index(kind, state, outcome);
  counts_[at] += weight;
  if (outcome == nothing()) return;
  uint32_t& row = counted_row_[at];
  if (row == kNoRow) {
    row = static_cast<uint32_t>(gaps_.size() / kBins);
    gaps_.resize(gaps_.size() + kBins);
  }
  gaps_[size_t{row} * kBins + bin(gap)] += weight;
}

void CallPattern::smooth(std::span<double> bins, int passes) {
  smoothed_.resize(bins.size());
  for (; passes > 0; --passes) {
    for (size_t b = 0; b < bins.size(); ++b)
      smoothed_[b] = 0.5 * bins[b] + 0.25 * bins[b > 0 ? b - 1 : b] +
                     0.25 * bins[b + 1 < bins.size() ? b + 1 : b];
    std::copy(smoothed_.begin(), smoothed_.end(), bins.begin());
  }
}

void CallPattern::learn() {
  log_density_.clear();
  for (uint32_t kind = 0; kind < kinds_; ++kind) {
    // What is rare in one state borrows from all states.
    std::vector<double> anywhere(outcomes_);
    double all = 0;
    size_t begin = size_t{kind} * states_ * outcomes_;
    for (size_t i = 0; i < size_t{states_} * outcomes_; ++i) {
      anywhere[i % outcomes_] += counts_[begin + i];
      all += counts_[begin + i];
    }
    for (uint32_t state = 0; state < states_; ++state) {
      size_t row = begin + size_t{state} * outcomes_;
      double total = 0;
      for (uint32_t o = 0; o < outcomes_; ++o) total += counts_[row + o];
      for (uint32_t o = 0; o < outcomes_; ++o) {
        double prior = (anywhere[o] + 0.5) / (all + 0.5 * outcomes_);
        log_chance_[row + o] =
            static_cast<float>(std::log((counts_[row + o] + prior) / (total + 1)));
      }
    }
    learn_gaps(kind);
  }
}

void CallPattern::learn_gaps(uint32_t kind) {
  constexpr double kBorrowed = 2;
  size_t begin = size_t{kind} * states_ * outcomes_;
  std::vector<double> pooled(kBins), own(kBins);
  auto add_row = [&](const std::vector<double>& density) {
    for (uint32_t b = 0; b < kBins; ++b)
      log_density_.push_back(static_cast<float>(std::log(density[b]) - log_width_[b]));
    return static_cast<uint32_t>(log_density_.size() / kBins - 1);
  };
  for (uint32_t o = 0; o + 1 < outcomes_; ++o) {
    std::fill(pooled.begin(), pooled.end(), 0.0);
    double total = 0;
    for (uint32_t state = 0; state < states_; ++state) {
      size_t at = begin + size_t{state} * outcomes_ + o;
      if (counted_row_[at] == kNoRow) continue;
      total += counts_[at];
      for (uint32_t b = 0; b < kBins; ++b) pooled[b] += gaps_[size_t{counted_row_[at]} * kBins + b];
    }
    smooth(pooled, 12);
    for (double& share : pooled) share = (share + kBorrowed / kBins) / (total + kBorrowed);
    uint32_t pooled_row = add_row(pooled);
    for (uint32_t state = 0; state < states_; ++state) {
      size_t at = begin + size_t{state} * outcomes_ + o;
      rows_[at] = pooled_row;
      if (counted_row_[at] == kNoRow) continue;
      double n = counts_[at];
      std::copy_n(gaps_.begin() + static_cast<ptrdiff_t>(size_t{counted_row_[at]} * kBins), kBins,
                  own.begin());
      smooth(own, n < 20 ? 24 : n < 100 ? 12 : n < 500 ? 6 : n < 3000 ? 3 : 1);
      for (uint32_t b = 0; b < kBins; ++b)
        own[b] = (own[b] + kBorrowed * pooled[b]) / (n + kBorrowed);
      rows_[at] = add_row(own);
    }
  }
}

}  // namespace xtrace
