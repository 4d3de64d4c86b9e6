#include "prices/call_costs.h"

namespace xtrace {

int64_t CallCosts::of(const Call& call) const {
  if (call.cost >= 0) return call.cost;
  auto [known, is_new] = models_.try_emplace(call.model.index, nullptr);
  if (is_new) known->second = prices_->find((*trace_)[call.model]);
  return known->second == nullptr ? kNoCount : cost_of(*known->second, call.tokens);
}

bool CallCosts::is_missing(const Event& event, const Call& call) const {
  bool names_none = call.tokens == Tokens();
  return of(call) < 0 && !(event.outcome == Outcome::error && names_none);
}

}  // namespace xtrace
