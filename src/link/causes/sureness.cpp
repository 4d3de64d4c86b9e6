#include "link/causes/sureness.h"

#include <algorithm>
#include <cmath>

namespace xtrace {

namespace {

/// What is believed before any call was seen, as a number of calls that do and of all: where three
/// spans are all there is, nobody knows what kind of system it is.
constexpr double kOutlasting = 0.6, kUnseen = 0.04, kCalls = 2;
/// The share of calls made by somebody else than the only one who was open, for each that outlasts
/// everybody: where nobody waits for calls, a caller may end before its call begins.
constexpr double kBegunLate = 0.25;
/// A pattern is learned from callers who stay. Where this share of the calls outlast their caller
/// it says nothing against those who ended, and less the fewer do.
constexpr double kPatternSaysNothing = 0.1;
/// Rounds of learning; the chances hardly move after a dozen.
constexpr int kRounds = 20;
/// So many calls must an actor have made for half of what their pattern says to count.
constexpr double kHalfBelieved = 8;

}  // namespace

void Disorder::add_call(size_t open, size_t staying) {
  ++all_;
  of_one_ += open == 1;
  outlasting_ += staying == 0;
  telling_ += staying == 0 ? 1 : 1 / std::sqrt(static_cast<double>(open));
}

void Disorder::add_early_call(bool is_by_clock) {
  ++all_;
  ++early_;
  by_clock_ += is_by_clock;
}

void Disorder::add(const Disorder& other) {
  all_ += other.all_;
  telling_ += other.telling_;
  outlasting_ += other.outlasting_;
  early_ += other.early_;
  by_clock_ += other.by_clock_;
  of_one_ += other.of_one_;
}

void Disorder::learn() {
  // Whoever misses its caller begins while nobody is open as often as others begin while one is.
  unseen_ = (early_ + kUnseen) / (early_ + of_one_ + kCalls);
  outlasts_ = kOutlasting / kCalls;
  for (int round = 0; round < kRounds; ++round)
    outlasts_ = (kOutlasting + outlasting_ * chance_of_outlasted()) / (kCalls + telling_);
}

double Disorder::share_of_ended(size_t ended, size_t staying, double best) const {
  const double by_chance = staying < 2 ? 1
                                       : std::max(std::sqrt(std::max(0.0, 1 - best)),
                                                  std::min(1.0, outlasts_ / kPatternSaysNothing));
  const double by_ended = outlasts_ * static_cast<double>(ended) * by_chance;
  const double by_staying = (1 - outlasts_) * static_cast<double>(staying);
  return by_ended + by_staying > 0 ? by_ended / (by_ended + by_staying) : 0;
}

double Disorder::chance_of_another() const {
  // Of few calls, one that nobody was open for says that clocks differ as well as that its caller
  // is missing; of many, that callers are missing is weighed call by call.
  const double of_few = kHalfBelieved / (kHalfBelieved + all_);
  return std::min(1.0, (by_clock_ + early_ * of_few + outlasting_ * kBegunLate) / (all_ + kCalls));
}

double trust_in_pattern(size_t others) {
  const double unknown = kHalfBelieved / (kHalfBelieved + static_cast<double>(others));
  return 1 - unknown * unknown;
}

}  // namespace xtrace
