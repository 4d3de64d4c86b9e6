#pragma once

#include <cstdint>

#include "facts/call.h"
#include "prices/price.h"

namespace xtrace {

/// Tokens of a prompt, counted from its beginning.
struct PromptStretch {
  int64_t from = 0, to = 0;
};

/// What a stretch of a call's prompt cost, in billionths of a dollar. A token is paid for at the
/// price of the place where it stands: what a call read from a cache is the beginning of its
/// prompt, what it wrote stands behind that.
int64_t prompt_cost(PromptStretch part, const Tokens& tokens, const Price& price);

}  // namespace xtrace
