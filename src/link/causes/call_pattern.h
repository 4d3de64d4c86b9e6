#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace xtrace {

/// How the calls into one actor go: which call it makes next, and how long after what happened
/// last. A semi-Markov model of the events between the start and the end of a call:
///
///     start ─gap─ calls a ─gap─ a ends ─gap─ calls b ─… ─gap─ end
///
/// A state is the last event and whether any call made is still open. Times are microseconds.
class CallPattern {
 public:
  /// `kinds` of calls into the actor, `calls` of those it makes. `resolution`: of the clock.
  CallPattern(uint32_t kinds, uint32_t calls, double resolution);

  struct State {
    uint32_t last = 0;  ///< 0: its own start; 1+2k: call k began; 2+2k: call k ended
    bool waiting = false;
  };
  uint32_t begins(uint32_t call) const { return call; }
  uint32_t ends() const { return calls_; }
  /// An end of a call: nobody in the actor decides when that is.
  uint32_t nothing() const { return calls_ + 1; }
  static constexpr uint32_t began(uint32_t call) { return 1 + 2 * call; }
  static constexpr uint32_t ended(uint32_t call) { return 2 + 2 * call; }

  /// Log of the probability that `outcome` comes next, and of the density of its gap.
  float log_likelihood(uint32_t kind, State state, uint32_t outcome, double gap) const {
    size_t at = index(kind, state, outcome);
    if (outcome == nothing()) return log_chance_[at];
    return log_chance_[at] + log_density_[size_t{rows_[at]} * kBins + bin(gap)];
  }

  void forget_counts();
  void count(uint32_t kind, State state, uint32_t outcome, double gap, double weight);
  /// Makes the tables from the counts.
  void learn();

 private:
  static constexpr uint32_t kPerOctave = 4, kBefore = 72, kAfter = 132, kBins = kBefore + kAfter;
  static constexpr uint32_t kNoRow = UINT32_MAX;

  size_t index(uint32_t kind, State state, uint32_t outcome) const {
    return (size_t{kind} * states_ + size_t{state.last} * 2 + (state.waiting ? 1 : 0)) * outcomes_ +
           outcome;
  }
  uint32_t bin(double gap) const;
  /// Where a row of bins holds anything.
  struct Support {
    size_t begin, end;
  };
  static Support support_of(std::span<const double> bins);
  /// Spreads each bin over its neighbours, a quarter to either side, `passes` times; what would
  /// leave the row stays in it.
  Support smooth(std::span<double> bins, int passes);
  void learn_gaps(uint32_t kind);

  uint32_t kinds_, calls_, states_, outcomes_;
  double per_resolution_;
  std::vector<double> counts_;         ///< by index()
  std::vector<uint32_t> counted_row_;  ///< by index(): a row of gaps_, or kNoRow
  std::vector<double> gaps_;           ///< rows of kBins
  std::vector<float> log_chance_;      ///< by index()
  std::vector<uint32_t> rows_;         ///< by index(): a row of log_density_
  std::vector<float> log_density_;
  std::vector<double> log_width_, smoothed_;
};

}  // namespace xtrace
