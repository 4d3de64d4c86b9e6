#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/time.h"
#include "facts/call.h"
#include "facts/record.h"
#include "link/hops/hops.h"
#include "prices/call_costs.h"

namespace xtrace {

class Graph;
struct Activities;

/// Usage that a record states and no call accounts for: what an agent's span has beyond the calls
/// below it, what a session's total has beyond its calls. It is in every sum, and in no call.
struct UnplacedUsage : TokensAndCost {
  enum class StatedBy : uint8_t { span, turn, agent, session };
  StatedBy stated_by = StatedBy::span;
  HopId hop;             ///< of the span that states it; nowhere: a record of a transcript does
  Extent at;             ///< the record that states it
  uint32_t session = 0;  ///< Session::number; 0: of spans, or of a session without calls
  StringId session_id;   ///< of a session, by its log's name
  std::string_view agent, model, provider;  ///< as the log has them; empty: not known
  Time time = kNoTime;
  bool is_unpriced = false;  ///< it cost something that nobody knows
  /// Billionths of a dollar by which the prices of the calls exceed what the record states was
  /// paid.
  int64_t uncharged = 0;
  /// Its part of a sum of money; negative: the log was charged less than its calls' prices.
  int64_t charged() const { return at_least_none(cost) - uncharged; }
  /// Calls that it covers, whose missing cost, missing part of a cost or missing output this row
  /// includes.
  int64_t settles_unpriced = 0, settles_partly = 0, settles_low = 0;

  /// Does it change any sum?
  bool states_any() const {
    return total_of(tokens) > 0 || cost >= 0 || uncharged > 0 || settles_unpriced > 0 ||
           settles_partly > 0 || settles_low > 0;
  }
  /// Takes what its tokens cost.
  void take(const ComputedCost& computed) {
    cost = computed.cost;
    is_unpriced = cost < 0;
    cost_is_partial = computed.is_partial && cost >= 0;
  }
};
inline constexpr std::string_view kStatedByWords[] = {"span", "turn", "agent", "session"};

/// A total in money, and what the prices of the same calls come to.
struct MoneyDisagreement {
  Extent at;
  int64_t stated = 0, computed = 0;  ///< in billionths of a dollar
};

/// What was used up and what it cost, each token and each dollar once: calls that count
/// (Activity::counts_usage()) and these rows add up to everything that is stated.
struct Ledger {
  std::vector<UnplacedUsage> unplaced;  ///< those of spans by hop, then those of sessions in order
  std::vector<MoneyDisagreement> disagreements;

  /// The row of a span; nullptr: it has none.
  const UnplacedUsage* of(HopId hop) const;
  /// To be called once, when the rows of all spans are there.
  void order_by_hop();

 private:
  std::unordered_map<uint32_t, size_t> by_hop_;
};

/// Settles what spans state, from the innermost outwards: a call that several spans state counts
/// once, and what a span around calls states counts as far as it exceeds them. Requires: partners
/// are marked (Activity::same_as of spans that a log accounts for).
void settle_spans(const Graph& graph, Activities& activities);

/// Settles what transcripts state of turns, agents and sessions (Trace::usage_statements), from the
/// smallest scope to the largest.
void settle_statements(const Graph& graph, Activities& activities);

}  // namespace xtrace
