#pragma once

#include "facts/call.h"
#include "facts/token_rule.h"
#include "input/spans/span_tags.h"

namespace xtrace {

struct CountedTokens {
  Tokens tokens;
  TokenRule rule = TokenRule::none;
};

/// What a span used up, each token once: `input` is without what came from a cache and went to one,
/// and `output` is with what the model thought.
CountedTokens count_tokens(const SpanTags& tags);

}  // namespace xtrace
