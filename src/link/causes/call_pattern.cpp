#include "link/causes/call_pattern.h"

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

CallPattern::Support CallPattern::support_of(std::span<const double> bins) {
  Support known{0, bins.size()};
  while (known.end > 0 && bins[known.end - 1] == 0) --known.end;
  while (known.begin < known.end && bins[known.begin] == 0) ++known.begin;
  return known;
}

/// Most rows are empty but for a few bins; nothing is done about the others.
CallPattern::Support CallPattern::smooth(std::span<double> bins, int passes) {
  Support known = support_of(bins);
  if (known.begin == known.end) return known;
  smoothed_.resize(bins.size());
  for (; passes > 0; --passes) {
    known.begin -= known.begin > 0;
    known.end += known.end < bins.size();
    double before = bins[known.begin];  // at the edge of the row its own neighbour
    for (size_t b = known.begin; b < known.end; ++b) {
      double behind = bins[b + 1 < bins.size() ? b + 1 : b];
      smoothed_[b] = 0.5 * bins[b] + 0.25 * before + 0.25 * behind;
      before = bins[b];
    }
    std::copy_n(&smoothed_[known.begin], known.end - known.begin, &bins[known.begin]);
  }
  return known;
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

/// Densities of the gaps before each outcome: a histogram over octaves for each state, smoothed the
/// more the fewer gaps it has, and mixed with that of the outcome in any state, so that a state
/// that was seen once does not rule out what it did not do then. Bins are divided by their width:
/// alternatives of different lengths compare as densities only.
void CallPattern::learn_gaps(uint32_t kind) {
  constexpr double kBorrowed = 2;  // gaps that the outcome in any state counts as
  size_t begin = size_t{kind} * states_ * outcomes_;
  std::vector<double> pooled(kBins), own(kBins), log_pooled(kBins);
  auto add_row = [&] {
    log_density_.resize(log_density_.size() + kBins);
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
    uint32_t pooled_row = add_row();
    for (uint32_t b = 0; b < kBins; ++b) {
      pooled[b] = (pooled[b] + kBorrowed / kBins) / (total + kBorrowed);
      log_pooled[b] = std::log(pooled[b]) - log_width_[b];
      log_density_[size_t{pooled_row} * kBins + b] = static_cast<float>(log_pooled[b]);
    }
    for (uint32_t state = 0; state < states_; ++state) {
      size_t at = begin + size_t{state} * outcomes_ + o;
      rows_[at] = pooled_row;
      if (counted_row_[at] == kNoRow) continue;
      double n = counts_[at];
      std::copy_n(gaps_.begin() + static_cast<ptrdiff_t>(size_t{counted_row_[at]} * kBins), kBins,
                  own.begin());
      Support known = smooth(own, n < 20 ? 24 : n < 100 ? 12 : n < 500 ? 6 : n < 3000 ? 3 : 1);
      rows_[at] = add_row();
      float* density = &log_density_[size_t{rows_[at]} * kBins];
      double all_borrowed = std::log(kBorrowed / (n + kBorrowed));
      for (uint32_t b = 0; b < kBins; ++b)
        density[b] = static_cast<float>(log_pooled[b] + all_borrowed);
      for (size_t b = known.begin; b < known.end; ++b)
        density[b] = static_cast<float>(
            std::log((own[b] + kBorrowed * pooled[b]) / (n + kBorrowed)) - log_width_[b]);
    }
  }
}

}  // namespace xtrace
