#include "link/causes/effort.h"

#include <algorithm>

namespace xtrace {

namespace {

/// A pattern learned from fewer calls than this only becomes surer of itself with more rounds: one
/// call of two callers that fit alike became one of a third caller that nobody saw.
constexpr size_t kFewCalls = 100;

/// A second is good for some sixteen million looks, and nobody waits for more than ten.
constexpr double kMostLooks = 1.6e8;
/// However little there is to learn, so many looks are made: a few milliseconds.
constexpr double kFewLooks = 64'000;
/// Pairs of callers that each call in doubt can tell apart. Where all calls overlap with all
/// callers, the candidates of a call grow with the input, and sweeps over them with its square,
/// while no call teaches more than before: the sweeps have to fall. Recordings with 25 requests at
/// once need 0.1 to 0.49, so that none of them gets less than the full effort.
constexpr double kPairsOfCall = 0.5;
/// Six rounds still learn, and eight sweeps still count.
constexpr Effort kLeast{
    .chains = 1, .rounds = 6, .sweeps = 1, .counted_sweeps = 1, .answer_sweeps = 8};

/// The looks that pay, where a full effort needs `full`.
double paying_looks(double full, const Doubt& doubt) {
  const auto calls = static_cast<double>(doubt.calls);
  const double callers = doubt.callers / calls;
  const double learned = full * kPairsOfCall * calls / (callers * callers);
  return std::min({full, kMostLooks, std::max(kFewLooks, learned)});
}

}  // namespace

Effort effort_for(const Doubt& doubt) {
  Effort effort;
  if (doubt.calls < kFewCalls) {
    effort.chains = 3;
    effort.rounds = 24;
  }
  const double full = doubt.looks * effort.all_sweeps(), paying = paying_looks(full, doubt);
  if (paying >= full) return effort;
  if (paying < doubt.looks * kLeast.all_sweeps()) return {.chains = 0};
  double share = paying / full;
  const int all_chains = effort.chains;
  // Chains go before sweeps do, and leave their time to the others: one that stops before it has
  // settled is sure of what it began with.
  effort.chains = share > 0.3 ? 3 : share > 0.1 ? 2 : kLeast.chains;
  share *= static_cast<double>(all_chains) / effort.chains;
  auto part = [&](int all, int least) {
    return std::max(least, static_cast<int>(all * std::min(1.0, share)));
  };
  effort.sweeps = part(effort.sweeps, kLeast.sweeps);
  effort.counted_sweeps = part(effort.counted_sweeps, kLeast.counted_sweeps);
  effort.answer_sweeps = part(effort.answer_sweeps, kLeast.answer_sweeps);
  effort.rounds = part(effort.rounds, kLeast.rounds);
  return effort;
}

}  // namespace xtrace
