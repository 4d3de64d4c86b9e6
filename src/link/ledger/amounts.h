#pragma once

#include <cstdint>

#include "facts/token_sums.h"

namespace xtrace {

// How a statement about several calls (a total) compares with what its parts state. Programs differ
// in whether input includes what came from a cache or went to one; a total that does not count
// caches is compared with both sums of its parts.

enum class TotalIs : uint8_t {
  sum,   ///< what the parts state, no more and no less
  more,  ///< at least that in every kind, and beyond it in one
  less,  ///< below it in one kind: it does not include all parts
};

/// Requires: `total` states any count. Counts that the parts do not state are taken for 0.
TotalIs compare(const Tokens& total, const Tokens& parts);

/// What the total states beyond its parts, by kind, never negative; kinds that it does not state
/// are unknown. Input adds up to what the total has beyond the input of its parts, caches included.
Tokens beyond(const Tokens& total, const Tokens& parts);

/// Does it state input and output, so that nothing is missing for a price?
inline bool is_complete(const Tokens& tokens) {
  return tokens_sent(tokens) >= 0 && tokens.output >= 0;
}

/// Is the difference between two amounts of money more than rounding (billionths of a dollar)?
bool differ_by_more_than_rounding(int64_t one, int64_t other);
/// Is it large enough to be reported: 1 % and a tenth of a cent?
bool is_worth_a_warning(int64_t one, int64_t other);

}  // namespace xtrace
