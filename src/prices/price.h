#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "facts/call.h"

namespace xtrace {

/// What tokens cost, in millionths of a dollar for a million of them, which is enough for every
/// list price there is; -1: not known.
struct Price {
  int64_t input = kNoCount;  ///< of tokens that neither came from nor went to a cache
  int64_t output = kNoCount;
  int64_t cache_read = kNoCount;
  int64_t cache_creation = kNoCount;     ///< for five minutes
  int64_t cache_creation_1h = kNoCount;  ///< for an hour

  /// What this many cost, in billionths of a dollar, rounded once; -1 where the price or the count
  /// of a kind of tokens that were used is not known, for a part is no cost.
  int64_t of(const Tokens& tokens) const;
  bool operator==(const Price&) const = default;
};

/// The price of a model and of those that differ from it by date alone.
struct PricedModel {
  std::string name;
  std::string valid;  ///< the day on which it was looked up, `2026-10-24`; empty: not said
  Price price;
  int64_t over = kNoCount;  ///< prompts of more tokens than this, cached ones too, …
  Price price_over;         ///< … cost this, every token of the call
  int64_t hurried =
      kNoCount;  ///< hundredths of these prices that `priority` or `fast` service costs
};

/// Which models cost what.
class PriceTable {
 public:
  PriceTable() = default;

  /// Adds a model, or replaces the one of that name.
  void set(PricedModel model);
  /// The price for a model as logs and vendors name it: with a date or version behind the name, and
  /// whoever makes or sells it before it. A name that says more than that is another model's.
  /// Nullptr: none is known.
  const PricedModel* find(std::string_view model) const;
  /// What a call to it cost, in billionths of a dollar; -1: not known.
  int64_t cost(std::string_view model, const Tokens& tokens) const;
  /// Ordered by name.
  const std::map<std::string, PricedModel, std::less<>>& models() const { return models_; }
  /// The latest day on which one of the prices that are in no file was looked up.
  std::string_view valid() const { return valid_; }

  std::string file{};  ///< whose prices went in on top, or its digest; empty: none

 private:
  std::map<std::string, PricedModel, std::less<>> models_;  ///< by plain name
  std::string valid_;
};

/// What a call cost at these prices.
int64_t cost_of(const PricedModel& model, const Tokens& tokens);

/// The list prices that this version knows.
const PriceTable& list_prices();

}  // namespace xtrace
