#include "prices/call_costs.h"

#include "prices/model_name.h"

namespace xtrace {

namespace {

void add_fees(const PriceTable& prices, std::string_view model, const Tokens& tokens, Time time,
              ComputedCost& computed) {
  int64_t& fees = computed.parts[static_cast<size_t>(PaidKind::fees)];
  if (!tokens.server_tools.any()) return;
  const std::string plain = plain_model(model);
  for_each_use(tokens.server_tools, [&](ServerTool tool, int32_t uses) {
    const bool is_free = is_free_with(plain, tool, tokens.server_tools);
    const int64_t fee = is_free ? 0 : prices.fee(model, tool, uses, time);
    if (fee >= 0)
      fees = sum_of_known({fees, fee});
    else
      computed.unpriced[tool] = uses;
  });
  computed.is_partial |= computed.unpriced.any();
}

}  // namespace

ComputedCost compute_cost(const PriceTable& prices, const FoundPrices& found,
                          std::string_view model, const Tokens& tokens, Time time) {
  ComputedCost computed;
  const Terms terms = tokens.terms.with_name(found.terms);
  if (terms.tier == ServiceTier::free) {
    computed.cost = 0;
    return computed;
  }
  const PricedModel* priced = found.at(time);
  if (priced == nullptr) return computed;
  const PriceOfCall price = price_of_call(*priced, tokens, terms, time);
  const TokenCosts costs = token_costs(price.price, tokens);
  if (!costs.is_known && !tokens.server_tools.any()) return computed;
  computed.parts = costs.parts;
  computed.is_partial = costs.is_partial || price.is_at_least;
  add_fees(prices, model, tokens, time, computed);
  computed.cost = 0;
  for (const int64_t part : computed.parts) computed.cost = sum_of_known({computed.cost, part});
  if (computed.is_partial && computed.cost == 0) computed.cost = kNoCount;
  return computed;
}

ComputedCost compute_cost(const PriceTable& prices, std::string_view model, const Tokens& tokens,
                          Time time) {
  return compute_cost(prices, prices.find(model), model, tokens, time);
}

ComputedCost CallCosts::of(int64_t recorded, StringId model, const Tokens& tokens,
                           Time time) const {
  if (recorded >= 0) {
    ComputedCost stated;
    stated.cost = recorded;
    return stated;
  }
  const auto [known, is_new] = models_.try_emplace(model.index);
  if (is_new) known->second = prices_->find((*trace_)[model]);
  return compute_cost(*prices_, known->second, (*trace_)[model], tokens, time);
}

}  // namespace xtrace
