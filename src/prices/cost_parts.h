#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "prices/price.h"

namespace xtrace {

/// What of a call is paid for at a price of its own.
enum class PaidKind : uint8_t {
  input,        ///< tokens that neither came from nor went to a cache
  cache_write,  ///< for five minutes or an hour
  cache_read,
  output,
  fees,  ///< of tools that the vendor ran
};
inline constexpr std::string_view kPaidKindWords[] = {"input", "cache_write", "cache_read",
                                                      "output", "fees"};
inline constexpr size_t kPaidKinds = std::size(kPaidKindWords);
constexpr std::string_view word(PaidKind kind) {
  return kPaidKindWords[static_cast<size_t>(kind)];
}

/// The cost of a call by kind, in billionths of a dollar, by PaidKind. They add up to what the call
/// cost.
using CostParts = std::array<int64_t, kPaidKinds>;

/// What tokens cost at a price.
struct TokenCosts {
  CostParts parts{};
  bool is_known = false;    ///< of at least one kind of those that were used
  bool is_partial = false;  ///< of another one it is not: it may cost more
};
TokenCosts token_costs(const Price& price, const Tokens& tokens);

/// Adds what tokens of one kind cost, in the unit of prices for each of them; false where that is
/// not known, or beyond all measure.
bool add_cost(int64_t& sum, int64_t count, int64_t price);
/// Such a sum, rounded to billionths of a dollar.
int64_t to_billionths(int64_t sum);

/// The price that holds for a call which sends so many tokens at that time, on its terms: long
/// prompts may cost more.
struct PriceOfCall {
  Price price;
  bool is_at_least = false;  ///< the price may be higher: what a term costs is not known
};
PriceOfCall price_of_call(const PricedModel& model, const Tokens& tokens, Terms terms, Time time);

}  // namespace xtrace
