#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "facts/task_step.h"
#include "input/spans/span_tags.h"

namespace xtrace {

/// Calls `each(name, rank)` for the names in a row of a table: `|` between two puts the latter a
/// rank lower, `,` does not.
template <class Each>
constexpr void each_name(std::string_view names, Each each) {
  uint8_t rank = 0;
  while (!names.empty()) {
    const size_t end = std::min(names.find_first_of("|,"), names.size());
    each(names.substr(0, end), rank);
    if (end < names.size() && names[end] == '|') ++rank;
    names.remove_prefix(std::min(end + 1, names.size()));
  }
}

/// How many names the rows of such a table have.
template <class Rows>
consteval size_t count_names(const Rows& rows) {
  size_t count = 0;
  for (const auto& row : rows) each_name(row.names, [&](std::string_view, uint8_t) { ++count; });
  return count;
}

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
