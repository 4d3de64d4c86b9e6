#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "facts/call.h"
#include "prices/fees.h"
#include "prices/surcharges.h"

namespace xtrace {

/// What tokens cost, in millionths of a dollar for a million of them, which is enough for every
/// list price there is; -1: not known.
struct Price {
  int64_t input = kNoCount;  ///< of tokens that neither came from nor went to a cache
  int64_t output = kNoCount;
  int64_t cache_read = kNoCount;
  int64_t cache_creation = kNoCount;     ///< for five minutes
  int64_t cache_creation_1h = kNoCount;  ///< for an hour

  bool operator==(const Price&) const = default;
};

/// The price of a model, and of those whose names differ only by a date, from a day on.
struct PricedModel {
  std::string name;
  std::string valid;  ///< the day on which it was looked up, `2026-10-24`; empty: not stated
  Price price;
  int64_t over = kNoCount;  ///< prompts of more tokens than this, cached ones too, …
  Price price_over;         ///< … cost this, every token of the call
  Time from = kNoTime;      ///< its first day, in UTC; kNoTime: as far back as is known
  Multiples multiples{};
};

/// The prices of one model, by their first day, the oldest first; never empty.
using PriceHistory = std::vector<PricedModel>;

/// What is known of a model as a log names it.
struct FoundPrices {
  const PriceHistory* history = nullptr;  ///< nullptr: nothing
  Terms terms{};                          ///< that its name states

  /// What held at that time: before the first known day the oldest, without a time the newest that
  /// had begun when it was looked up.
  const PricedModel* at(Time time) const;
};

/// Which models cost what.
class PriceTable {
 public:
  PriceTable() = default;

  /// Adds a row to those of its model.
  void add(PricedModel row);
  /// Replaces all rows of its model.
  void set(PricedModel row);
  /// Adds a fee that takes precedence over the list, and yields to fees of longer families.
  void set_fee(Fee fee);

  /// The prices of a model as logs and vendors name it: with a date or version after the name, and
  /// its maker or seller before it. A name with any other addition is another model's.
  FoundPrices find(std::string_view model) const;
  /// What a tool's uses cost that a call to a model counts, in billionths of a dollar; -1: not
  /// known.
  int64_t fee(std::string_view model, ServerTool tool, int64_t uses, Time time) const;

  /// Ordered by name.
  const std::map<std::string, PriceHistory, std::less<>>& models() const { return models_; }
  /// Those that are in no list.
  std::span<const Fee> own_fees() const { return fees_; }
  /// The latest day on which one of the prices that are in no file was looked up.
  std::string_view valid() const { return valid_; }

  std::string file{};  ///< whose prices went in on top, or its digest; empty: none

 private:
  PriceHistory& history_of(const PricedModel& row);

  std::map<std::string, PriceHistory, std::less<>> models_;  ///< by plain name
  std::vector<Fee> fees_;  ///< of a file; the longest names of families first
  std::string valid_;
};

/// The list prices that this version knows.
const PriceTable& list_prices();

}  // namespace xtrace
