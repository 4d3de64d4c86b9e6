#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "prices/price.h"

namespace xtrace {

/// What of a call is paid for at a price of its own.
enum class PaidKind : uint8_t {
  input,        ///< tokens that neither came from nor went to a cache
  cache_write,  ///< for five minutes or an hour
  cache_read,
  output,
};
inline constexpr std::string_view kPaidKindWords[] = {"input", "cache_write", "cache_read",
                                                      "output"};
inline constexpr size_t kPaidKinds = std::size(kPaidKindWords);
constexpr std::string_view word(PaidKind kind) {
  return kPaidKindWords[static_cast<size_t>(kind)];
}

/// The cost of a call by kind, in billionths of a dollar, by PaidKind. They add up to what the call
/// cost.
using CostParts = std::array<int64_t, kPaidKinds>;

/// Nothing where Price::of() knows no cost.
std::optional<CostParts> cost_parts(const Price& price, const Tokens& tokens);

/// Adds what tokens of one kind cost, in the unit of prices for each of them; false where that is
/// not known, or beyond all measure.
bool add_cost(int64_t& sum, int64_t count, int64_t price);
/// Such a sum, rounded to billionths of a dollar.
int64_t to_billionths(int64_t sum);

/// The prices that hold for a call that sends so many tokens, served as it was: long prompts may
/// cost more, and what may wait costs half
/// (https://platform.claude.com/docs/en/build-with-claude/batch-processing,
/// https://platform.openai.com/docs/guides/flex-processing). None are known of hurried service
/// whose price is in no list.
Price price_for(const PricedModel& model, const Tokens& tokens);

}  // namespace xtrace
