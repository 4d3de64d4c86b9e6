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

TokenCosts token_costs(const Price& price, const Tokens& tokens) {
  const int64_t created = std::max<int64_t>(tokens.cache_creation, 0);
  const int64_t for_an_hour = std::clamp<int64_t>(tokens.cache_creation_1h, 0, created);
  struct Counted {
    PaidKind kind;
    int64_t count, price;
    bool is_always_used = false;  ///< those who have a cache count it, but all count these
  };
  const Counted all[] = {{PaidKind::input, tokens.input, price.input, true},
                         {PaidKind::output, tokens.output, price.output, true},
                         {PaidKind::cache_read, tokens.cache_read, price.cache_read},
                         {PaidKind::cache_write, created - for_an_hour, price.cache_creation},
                         {PaidKind::cache_write, for_an_hour, price.cache_creation_1h}};
  TokenCosts costs;
  int64_t sum = 0;
  // The sum is rounded, once; a part is what its tokens add to the rounded sum.
  for (const Counted& one : all) {
    const int64_t before = to_billionths(sum);
    const bool is_uncounted = one.count < 0 && one.is_always_used && one.price != 0;
    if (is_uncounted || !add_cost(sum, one.count, one.price))
      costs.is_partial = true;
    else if (one.count >= 0 && (one.is_always_used || one.count > 0))
      costs.is_known = true;
    costs.parts[static_cast<size_t>(one.kind)] += to_billionths(sum) - before;
  }
  // A lower bound of nothing is no figure.
  if (costs.is_partial && sum == 0) costs.is_known = false;
  return costs;
}

PriceOfCall price_of_call(const PricedModel& model, const Tokens& tokens, Terms terms, Time time) {
  constexpr int64_t kTenThousandths = 10'000;
  const bool has_steps = model.over >= 0;
  const bool is_over = has_steps && most_sent(tokens) > model.over;
  // Several calls together may each be short.
  const bool may_be_over = has_steps && tokens.most_sent == kSeveralCalls &&
                           tokens_sent(tokens) > model.over &&
                           model.price_over.input > model.price.input;
  const Multiple multiple = multiple_for(model.multiples, terms, time);
  PriceOfCall found{is_over ? model.price_over : model.price, multiple.is_at_least || may_be_over};
  if (multiple.ten_thousandths == kTenThousandths) return found;
  for (int64_t Price::*kind : {&Price::input, &Price::output, &Price::cache_read,
                               &Price::cache_creation, &Price::cache_creation_1h})
    if (int64_t& price = found.price.*kind; price > 0)
      price = price * multiple.ten_thousandths / kTenThousandths;
  return found;
}

}  // namespace xtrace
