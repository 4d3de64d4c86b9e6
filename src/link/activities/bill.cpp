#include "link/activities/bill.h"

#include <algorithm>
#include <numeric>

#include "link/graph/graph.h"

namespace xtrace {

void Paid::add(const Paid& other) {
  for (size_t i = 0; i < kPaidKinds; ++i) parts[i] = sum_of_known({parts[i], other.parts[i]});
  unsplit = sum_of_known({unsplit, other.unsplit});
}

int64_t Paid::total() const {
  int64_t sum = unsplit;
  for (int64_t part : parts) sum = sum_of_known({sum, part});
  return sum;
}

PaidKind Paid::most() const {
  return static_cast<PaidKind>(std::max_element(parts.begin(), parts.end()) - parts.begin());
}

const PricedModel* Bill::find(std::string_view model) const {
  auto [known, is_new] = models_.try_emplace(model, nullptr);
  if (is_new) known->second = graph_.prices().find(model);
  return known->second;
}

std::optional<Price> Bill::prices_of(const Activity& call) const {
  const PricedModel* model = call.cost < 0 ? nullptr : find(call.model);
  if (model == nullptr) return {};
  const Price price = price_for(*model, call.tokens);
  return price.of(call.tokens) == call.cost ? std::optional(price) : std::nullopt;
}

Paid Bill::of(const Activity& call) const {
  Paid paid;
  if (call.cost < 0) return paid;
  const std::optional<Price> price = prices_of(call);
  if (std::optional<CostParts> parts = price ? cost_parts(*price, call.tokens) : std::nullopt)
    paid.parts = *parts;
  else
    paid.unsplit = call.cost;
  return paid;
}

}  // namespace xtrace
