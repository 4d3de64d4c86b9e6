#include "prices/cost_parts.h"

#include <algorithm>

namespace xtrace {

bool add_cost(int64_t& sum, int64_t count, int64_t price) {
  if (count <= 0) return true;
  int64_t cost = 0;
  return price >= 0 && !__builtin_mul_overflow(count, price, &cost) &&
         !__builtin_add_overflow(sum, cost, &sum);
}

int64_t to_billionths(int64_t sum) {
  constexpr int64_t kToBillionths = 1000;
  return sum / kToBillionths + (sum % kToBillionths >= kToBillionths / 2);
}

std::optional<CostParts> cost_parts(const Price& price, const Tokens& tokens) {
  // What nobody counted costs nothing only where none of it costs anything. Caches are counted by
  // those who have one.
  if ((tokens.input < 0 && price.input != 0) || (tokens.output < 0 && price.output != 0)) return {};
  if (tokens.input < 0 && tokens.output < 0) return {};
  int64_t created = std::max<int64_t>(tokens.cache_creation, 0);
  int64_t for_an_hour = std::clamp<int64_t>(tokens.cache_creation_1h, 0, created);
  struct Counted {
    PaidKind kind;
    int64_t count, price;
  };
  const Counted all[] = {{PaidKind::input, tokens.input, price.input},
                         {PaidKind::output, tokens.output, price.output},
                         {PaidKind::cache_read, tokens.cache_read, price.cache_read},
                         {PaidKind::cache_write, created - for_an_hour, price.cache_creation},
                         {PaidKind::cache_write, for_an_hour, price.cache_creation_1h}};
  CostParts parts{};
  int64_t sum = 0;
  // The sum is rounded, once; a part is what its tokens add to the rounded sum.
  for (const Counted& one : all) {
    const int64_t before = to_billionths(sum);
    if (!add_cost(sum, one.count, one.price)) return {};
    parts[static_cast<size_t>(one.kind)] += to_billionths(sum) - before;
  }
  return parts;
}

namespace {

/// Hundredths of the list price; unknown where no list has it.
int64_t hundredths(const PricedModel& model, ServiceTier tier) {
  switch (tier) {
    case ServiceTier::standard: return 100;
    case ServiceTier::batch:
    case ServiceTier::flex: return 50;
    case ServiceTier::priority:
    case ServiceTier::fast: return model.hurried;
  }
  return kNoCount;
}

}  // namespace

Price price_for(const PricedModel& model, const Tokens& tokens) {
  const int64_t prompt = most_sent(tokens);
  const bool is_over = model.over >= 0 && prompt > model.over;
  Price price = is_over ? model.price_over : model.price;
  const int64_t part = hundredths(model, tokens.tier);
  if (part == 100) return price;
  for (int64_t Price::*kind : {&Price::input, &Price::output, &Price::cache_read,
                               &Price::cache_creation, &Price::cache_creation_1h})
    if (price.*kind > 0) price.*kind = part < 0 ? kNoCount : price.*kind * part / 100;
  return price;
}

}  // namespace xtrace
