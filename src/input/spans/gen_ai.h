#pragma once

#include <string_view>

#include "facts/call.h"
#include "facts/span.h"
#include "facts/token_rule.h"
#include "input/common/shard.h"
#include "input/spans/span_tags.h"

namespace xtrace {

/// What the tags state of an agent, a tool or a model; `operation` is the name of the span.
bool read_gen_ai(const SpanTags& tags, std::string_view operation, Shard& shard, GenAi& stated);
int64_t read_cost(const SpanTags& tags);

struct CountedTokens {
  Tokens tokens;
  TokenRule rule = TokenRule::none;
};

/// What a span used up, each token once: `input` is without what came from a cache and went to one,
/// and `output` is with what the model thought.
CountedTokens count_tokens(const SpanTags& tags);

}  // namespace xtrace
