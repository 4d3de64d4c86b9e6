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

const PricedModel* Bill::find(std::string_view model) const {
  auto [known, is_new] = models_.try_emplace(model, nullptr);
  if (is_new) known->second = graph_.prices().find(model);
  return known->second;
}

std::optional<Price> Bill::prices_of(const Activity& call) const {
  return prices_of(call.model, call.tokens, call.cost);
}

std::optional<Price> Bill::prices_of(std::string_view name, const Tokens& tokens,
                                     int64_t cost) const {
  const PricedModel* model = cost < 0 ? nullptr : find(name);
  if (model == nullptr) return {};
  const Price price = price_for(*model, tokens);
  return price.of(tokens) == cost ? std::optional(price) : std::nullopt;
}

Paid Bill::of(std::string_view model, const Tokens& tokens, int64_t cost) const {
  Paid paid;
  if (cost < 0) return paid;
  const std::optional<Price> price = prices_of(model, tokens, cost);
  if (std::optional<CostParts> parts = price ? cost_parts(*price, tokens) : std::nullopt)
    paid.parts = *parts;
  else
    paid.unsplit = cost;
  return paid;
}

Paid Bill::of(const UnplacedUsage& usage) const {
  Paid paid = of(usage.model, usage.tokens, usage.cost);
  paid.uncharged = usage.uncharged;
  return paid;
}

}  // namespace xtrace
