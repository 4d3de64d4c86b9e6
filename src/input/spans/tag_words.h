#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "facts/task_step.h"
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

/// A name whose dots became `_`, as of services that allow no others.
std::string label_of(std::string_view name);
/// The name of a label in one of the known namespaces: `gen_ai.usage.input_tokens` of
/// `gen_ai_usage_input_tokens`; another label as it is.
std::string name_in_namespace(std::string_view label);

/// Reads the name of a field of a usage object: `input_token_details/cache_read`.
NamedTag read_usage_field(std::string_view path);

/// A name under which records describe a step, and what ExplanationGraph (facts/task_step.h) calls
/// that.
struct RemarkName {
  std::string_view name;
  std::string_view key;
  Remark::Kind kind = Remark::Kind::name;
};

/// nullptr: it is none.
const RemarkName* find_remark_name(std::string_view name);

}  // namespace xtrace
