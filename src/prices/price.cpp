#include "prices/price.h"

#include <algorithm>

#include "prices/model_name.h"

namespace xtrace {

namespace {

/// Adds what tokens of one kind cost; false where that is not known, or beyond all measure.
bool add(int64_t& sum, int64_t count, int64_t price) {
  if (count <= 0) return true;
  int64_t cost = 0;
  return price >= 0 && !__builtin_mul_overflow(count, price, &cost) &&
         !__builtin_add_overflow(sum, cost, &sum);
}

}  // namespace

int64_t Price::of(const Tokens& tokens) const {
  // What nobody counted costs nothing only where none of it costs anything. Caches are counted by
  // those who have one.
  if ((tokens.input < 0 && input != 0) || (tokens.output < 0 && output != 0)) return kNoCount;
  if (tokens.input < 0 && tokens.output < 0) return kNoCount;
  int64_t created = std::max<int64_t>(tokens.cache_creation, 0);
  int64_t for_an_hour = std::clamp<int64_t>(tokens.cache_creation_1h, 0, created);
  int64_t sum = 0;
  if (!add(sum, tokens.input, input) || !add(sum, tokens.output, output) ||
      !add(sum, tokens.cache_read, cache_read) ||
      !add(sum, created - for_an_hour, cache_creation) || !add(sum, for_an_hour, cache_creation_1h))
    return kNoCount;
  constexpr int64_t kToBillionths = 1000;
  return sum / kToBillionths + (sum % kToBillionths >= kToBillionths / 2);
}

int64_t cost_of(const PricedModel& model, const Tokens& tokens) {
  int64_t prompt = 0;
  for (int64_t count : {tokens.input, tokens.cache_read, tokens.cache_creation})
    if (count > 0 && __builtin_add_overflow(prompt, count, &prompt)) prompt = INT64_MAX;
  bool is_over = model.over >= 0 && prompt > model.over;
  return (is_over ? model.price_over : model.price).of(tokens);
}

void PriceTable::set(PricedModel model) {
  std::string name = plain_model(model.name);
  if (name.empty()) name = model.name;  // another seller's: found by just this name
  if (file.empty()) valid_ = std::max(valid_, model.valid);
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
