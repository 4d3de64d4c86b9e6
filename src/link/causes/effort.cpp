#include "link/causes/effort.h"

#include <algorithm>

namespace xtrace {

namespace {

/// A pattern learned from fewer calls than this only becomes surer of itself with more rounds: one
/// call of two callers that fit alike became one of a third caller that nobody saw.
constexpr size_t kFewCalls = 100;

}  // namespace

Effort effort_for(double candidates_of_a_sweep, size_t calls_in_doubt) {
  constexpr double kMostLooks = 1.6e8;  // some ten seconds
  Effort effort;
  if (calls_in_doubt < kFewCalls) {
    effort.chains = 3;
    effort.rounds = 24;
  }
  double share = kMostLooks / (candidates_of_a_sweep * effort.all_sweeps());
  if (share >= 1) return effort;
  const int all_chains = effort.chains;
  // Chains go before sweeps do, and leave their time to the others: one that stops before it has
  // settled is sure of what it began with. Six rounds still learn, and eight sweeps still count.
  effort.chains = share > 0.3 ? 3 : share > 0.1 ? 2 : 1;
  share *= static_cast<double>(all_chains) / effort.chains;
  auto part = [&](int all, int least) {
    return std::max(least, static_cast<int>(all * std::min(1.0, share)));
  };
  effort.sweeps = part(effort.sweeps, 1);
  effort.counted_sweeps = part(effort.counted_sweeps, 1);
  effort.answer_sweeps = part(effort.answer_sweeps, 8);
  effort.rounds = part(effort.rounds, 6);
  return effort;
}

}  // namespace xtrace
