#pragma once

#include <algorithm>

#include "facts/call.h"

namespace xtrace {

/// Every kind of token that a sum has.
inline constexpr int64_t Tokens::*kTokenKinds[] = {&Tokens::input, &Tokens::output,
                                                   &Tokens::cache_read, &Tokens::cache_creation,
                                                   &Tokens::cache_creation_1h};

/// Can this be a sum that includes the earlier one?
inline bool is_at_least(const Tokens& sum, const Tokens& earlier) {
  return std::ranges::all_of(kTokenKinds, [&](auto kind) { return sum.*kind >= earlier.*kind; });
}

/// The growth of a sum. A kind that the sum does not count stays unknown.
inline Tokens difference(Tokens sum, const Tokens& earlier) {
  for (int64_t Tokens::*kind : kTokenKinds)
    if (sum.*kind >= 0) sum.*kind -= at_least_none(earlier.*kind);
  for (size_t i = 0; i < kServerTools; ++i)
    if (int32_t& uses = sum.server_tools.counts[i]; uses >= 0)
      uses -= std::max(earlier.server_tools.counts[i], 0);
  return sum;
}

/// Adds counts that are known.
inline void add_tokens(Tokens& sum, const Tokens& more) {
  for (int64_t Tokens::*kind : kTokenKinds) sum.*kind = sum_of_known({sum.*kind, more.*kind});
  sum.server_tools.add(more.server_tools);
}

/// Do both count the same? Some records do not split what was sent by its kinds.
inline bool are_equal_counts(const Tokens& some, const Tokens& others) {
  return tokens_sent(some) == tokens_sent(others) && some.output == others.output;
}

/// The best count that two snapshots of one answer give. Counts of a stream only grow: the larger
/// one is the later one; equal ones are better the more kinds they split what was sent into. What
/// only the other one states is kept.
inline Tokens best_count(const Tokens& some, const Tokens& others) {
  const auto rank = [](const Tokens& tokens) {
    return std::pair(tokens_sent(tokens),
                     std::ranges::count_if(kTokenKinds, [&](auto k) { return tokens.*k >= 0; }));
  };
  Tokens best = rank(some) > rank(others) ? some : others;
  best.output = std::max(some.output, others.output);
  best.most_sent = std::max(some.most_sent, others.most_sent);
  best.terms = best.terms.over(some.terms).over(others.terms);
  best.server_tools.fill_in(some.server_tools);
  best.server_tools.fill_in(others.server_tools);
  return best;
}

}  // namespace xtrace
