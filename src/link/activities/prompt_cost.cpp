#include "link/activities/prompt_cost.h"

#include <algorithm>

#include "prices/cost_parts.h"

namespace xtrace {

PricedStretches priced_stretches(const Tokens& tokens, const Price& price) {
  const int64_t read = std::max<int64_t>(tokens.cache_read, 0);
  const int64_t written = sum_of_known({read, std::max<int64_t>(tokens.cache_creation, 0)});
  const int64_t kept_long =
      std::min(sum_of_known({read, std::max<int64_t>(tokens.cache_creation_1h, 0)}), written);
  return {{{{0, read}, price.cache_read},
           {{read, kept_long}, price.cache_creation_1h},
           {{kept_long, written}, price.cache_creation},
           {{written, INT64_MAX}, price.input}}};
}

int64_t unrounded_cost(PromptStretch part, std::span<const PricedStretch> stretches) {
  int64_t cost = 0;
  for (const PricedStretch& one : stretches) {
    const int64_t count = std::min(part.to, one.at.to) - std::max(part.from, one.at.from);
    if (!add_cost(cost, count, one.price)) return kNoCount;
  }
  return cost;
}

int64_t prompt_cost(PromptStretch part, const Tokens& tokens, const Price& price) {
  const int64_t cost = unrounded_cost(part, priced_stretches(tokens, price));
  return cost < 0 ? kNoCount : to_billionths(cost);
}

}  // namespace xtrace
