#include "prices/call_costs.h"

namespace xtrace {

int64_t CallCosts::of(int64_t recorded, StringId model, const Tokens& tokens) const {
  if (recorded >= 0) return recorded;
  auto [known, is_new] = models_.try_emplace(model.index, nullptr);
  if (is_new) known->second = prices_->find((*trace_)[model]);
  return known->second == nullptr ? kNoCount : cost_of(*known->second, tokens);
}

}  // namespace xtrace
