#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "facts/call.h"
#include "prices/price.h"

namespace xtrace {

/// Tokens of a prompt, counted from its beginning.
struct PromptStretch {
  int64_t from = 0, to = 0;
};

/// A stretch in which each token costs the same.
struct PricedStretch {
  PromptStretch at;
  int64_t price = kNoCount;  ///< as those of Price; -1: not known
};

using PricedStretches = std::array<PricedStretch, 4>;

/// What a token of a call's prompt costs at the place where it is: what was read from a cache is
/// the beginning of the prompt, what was written to one follows that, first what is kept for an
/// hour (Anthropic asks for that order), and all else behind both.
PricedStretches priced_stretches(const Tokens& tokens, const Price& price);

/// What a part of that prompt cost, in the unit of prices for each token; -1: a price is not known.
int64_t unrounded_cost(PromptStretch part, std::span<const PricedStretch> stretches);

/// What a stretch of a call's prompt cost, in billionths of a dollar.
int64_t prompt_cost(PromptStretch part, const Tokens& tokens, const Price& price);

}  // namespace xtrace
