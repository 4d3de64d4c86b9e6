#include "prices/price.h"

#include <algorithm>
#include <numeric>

#include "prices/cost_parts.h"
#include "prices/model_name.h"

namespace xtrace {

int64_t Price::of(const Tokens& tokens) const {
  const std::optional<CostParts> parts = cost_parts(*this, tokens);
  return parts ? std::accumulate(parts->begin(), parts->end(), int64_t{0}) : kNoCount;
}

int64_t cost_of(const PricedModel& model, const Tokens& tokens) {
  return price_for(model, tokens).of(tokens);
}

void PriceTable::set(PricedModel model) {
  std::string name = plain_model(model.name);
  if (name.empty()) name = model.name;  // another seller's: found by just this name
  if (file.empty()) valid_ = std::max(valid_, model.valid);
  // Of a price of one's own the list may still know what hurried service is of it.
  if (const auto known = models_.find(name); known != models_.end() && model.hurried < 0)
    model.hurried = known->second.hurried;
  models_.insert_or_assign(std::move(name), std::move(model));
}

const PricedModel* PriceTable::find(std::string_view model) const {
  return find_by_model(models_, model);
}

int64_t PriceTable::cost(std::string_view model, const Tokens& tokens) const {
  const PricedModel* priced = find(model);
  return priced == nullptr ? kNoCount : cost_of(*priced, tokens);
}

}  // namespace xtrace
