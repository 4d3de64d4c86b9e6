#include "link/activities/bill.h"

#include <algorithm>
#include <numeric>

#include "link/graph/graph.h"

namespace xtrace {

void Paid::add(const Paid& other) {
  for (size_t i = 0; i < kPaidKinds; ++i) parts[i] = sum_of_known({parts[i], other.parts[i]});
  unsplit = sum_of_known({unsplit, other.unsplit});
  uncharged = sum_of_known({uncharged, other.uncharged});
}

int64_t Paid::total() const {
  int64_t sum = unsplit;
  for (int64_t part : parts) sum = sum_of_known({sum, part});
  return sum - uncharged;
}

PaidKind Paid::most() const {
  return static_cast<PaidKind>(std::max_element(parts.begin(), parts.end()) - parts.begin());
}

const FoundPrices& Bill::find(std::string_view model) const {
  auto [known, is_new] = models_.try_emplace(model);
  if (is_new) known->second = graph_.prices().find(model);
  return known->second;
}

std::optional<Price> Bill::prices_of(const Activity& call) const {
  if (call.cost < 0 || of(call).unsplit > 0) return {};
  const FoundPrices& found = find(call.model);
  const PricedModel* model = found.at(call.start);
  if (model == nullptr) return {};
  return price_of_call(*model, call.tokens, call.tokens.terms.with_name(found.terms), call.start)
      .price;
}

Paid Bill::of(std::string_view model, const Tokens& tokens, Time time, int64_t cost) const {
  Paid paid;
  if (cost < 0) return paid;
  const ComputedCost computed = compute_cost(graph_.prices(), find(model), model, tokens, time);
  if (computed.cost == cost)
    paid.parts = computed.parts;
  else
    paid.unsplit = cost;
  return paid;
}

Paid Bill::of(const UnplacedUsage& usage) const {
  Paid paid = of(usage.model, usage.tokens, usage.time, usage.cost);
  paid.uncharged = usage.uncharged;
  return paid;
}

}  // namespace xtrace
