#include "link/ledger/amounts.h"

#include <algorithm>
#include <cstdlib>

namespace xtrace {

namespace {

bool counts_caches(const Tokens& tokens) {
  return tokens.cache_read >= 0 || tokens.cache_creation >= 0;
}

/// Input beyond that of the parts, whatever cached part of it the total counts.
int64_t input_beyond(const Tokens& total, const Tokens& parts) {
  const int64_t sent = tokens_sent(total);
  const bool is_without_caches = !counts_caches(total) && sent == at_least_none(parts.input);
  if (sent < 0 || is_without_caches) return 0;
  return std::max<int64_t>(sent - at_least_none(tokens_sent(parts)), 0);
}

int64_t output_beyond(const Tokens& total, const Tokens& parts) {
  return std::max<int64_t>(total.output - at_least_none(parts.output), 0);
}

bool is_less(const Tokens& total, const Tokens& parts) {
  const int64_t sent = tokens_sent(total);
  const bool is_less_input = sent >= 0 && sent < tokens_sent(parts) && sent != parts.input;
  return is_less_input || (total.output >= 0 && total.output < parts.output);
}

}  // namespace

TotalIs compare(const Tokens& total, const Tokens& parts) {
  if (is_less(total, parts)) return TotalIs::less;
  const bool is_more = input_beyond(total, parts) > 0 || output_beyond(total, parts) > 0;
  return is_more ? TotalIs::more : TotalIs::sum;
}

Tokens beyond(const Tokens& total, const Tokens& parts) {
  Tokens rest;
  rest.terms = total.terms;
  rest.most_sent = kSeveralCalls;
  for (size_t i = 0; i < kServerTools; ++i)
    if (const int32_t uses = total.server_tools.counts[i]; uses >= 0)
      rest.server_tools.counts[i] = std::max(uses - std::max(parts.server_tools.counts[i], 0), 0);
  int64_t left = input_beyond(total, parts);
  if (tokens_sent(total) >= 0) rest.input = 0;
  for (int64_t Tokens::*kind : {&Tokens::cache_creation, &Tokens::cache_read}) {
    if (total.*kind < 0) continue;
    rest.*kind = std::clamp<int64_t>(total.*kind - at_least_none(parts.*kind), 0, left);
    left -= rest.*kind;
  }
  if (left > 0) rest.input = left;
  if (total.output >= 0) rest.output = output_beyond(total, parts);
  if (total.cache_creation_1h >= 0)
    rest.cache_creation_1h =
        std::clamp<int64_t>(total.cache_creation_1h - at_least_none(parts.cache_creation_1h), 0,
                            at_least_none(rest.cache_creation));
  return rest;
}

bool differ_by_more_than_rounding(int64_t one, int64_t other) {
  constexpr int64_t kRounding = 1000;  // a millionth of a dollar
  return std::abs(one - other) > kRounding;
}

bool is_worth_a_warning(int64_t one, int64_t other) {
  constexpr int64_t kTenthOfACent = 1'000'000, kOneIn = 100;
  const int64_t difference = std::abs(one - other);
  return difference > kTenthOfACent && difference > std::max(one, other) / kOneIn;
}

}  // namespace xtrace
