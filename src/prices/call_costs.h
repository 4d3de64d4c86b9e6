#pragma once

#include <unordered_map>

#include "facts/trace.h"
#include "prices/cost_parts.h"
#include "prices/price.h"

namespace xtrace {

/// What a call cost, as far as that is known.
struct ComputedCost {
  int64_t cost = kNoCount;  ///< in billionths of a dollar; -1: not known
  bool is_partial = false;  ///< it may have cost more: a count, a price or a fee is not known
  CostParts parts{};        ///< add up to the cost, unless the log states that
  ServerToolUses unpriced;  ///< uses of tools whose fees are not known, and not in it
};

/// What a call to a model cost at the prices of its day, on its terms and those that the model's
/// name states, with the fees of the tools that the vendor ran.
ComputedCost compute_cost(const PriceTable& prices, std::string_view model, const Tokens& tokens,
                          Time time);
/// The same where PriceTable::find() was asked before.
ComputedCost compute_cost(const PriceTable& prices, const FoundPrices& found,
                          std::string_view model, const Tokens& tokens, Time time);

/// What was used up, and what that cost.
struct TokensAndCost {
  Tokens tokens;
  int64_t cost = kNoCount;        ///< in billionths of a dollar
  bool cost_is_recorded = false;  ///< by the log; else by the price of its tokens
  bool cost_is_partial = false;   ///< a lower bound (ComputedCost::is_partial)
};

/// What calls cost: what the log states, or else what the table makes of their tokens.
class CallCosts {
 public:
  CallCosts(const Trace& trace, const PriceTable& prices) : trace_(&trace), prices_(&prices) {}
  ComputedCost of(const Call& call) const {
    return of(call.cost, call.model, call.tokens, call.start);
  }
  ComputedCost of(const GenAi& span, Time time) const {
    return of(span.cost, span.model, span.tokens, time);
  }

 private:
  ComputedCost of(int64_t recorded, StringId model, const Tokens& tokens, Time time) const;
  const Trace* trace_;
  const PriceTable* prices_;
  mutable std::unordered_map<uint32_t, FoundPrices> models_;
};

}  // namespace xtrace
