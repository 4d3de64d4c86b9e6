#pragma once

#include <cstdint>
#include <string_view>

#include "input/spans/span_tags.h"

namespace xtrace {

/// A tag that a name means. If several names of a span mean one tag, the lowest rank wins.
struct NamedTag {
  Tag tag = Tag::folded;  ///< folded: the name is none of these
  uint8_t rank = 0;

  explicit operator bool() const { return tag != Tag::folded; }
};

/// Reads the name of a count of tokens, of a cost or of a tool call's id by its words, in any
/// spelling: `gen_ai.usage.cache_read.input_tokens`, `ai.usage.cachedInputTokens`.
NamedTag read_tag_words(std::string_view name);

/// Reads the name of a field of a usage object: `input_token_details/cache_read`.
NamedTag read_usage_field(std::string_view path);

}  // namespace xtrace
