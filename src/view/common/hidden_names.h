#pragma once

#include <string_view>

#include "base/hidden_marker.h"
#include "base/pattern.h"

namespace xtrace {

// A suite sees all of a log. In a part, or in what `convert` wrote, markers replace hidden pieces:
// `[REDACTED:home:1]/notes.txt`.

/// Is a piece of it hidden?
inline bool is_hidden(std::string_view value) {
  return value.find(kHiddenMarker) != value.npos;
}
/// Could both be one text, if one knew what is hidden in them? Equal texts are.
bool may_be_same(std::string_view a, std::string_view b);
/// Could the value match the pattern, in which `*` matches anything, if its hidden pieces were
/// known? False if nothing is.
bool may_fit_wildcards(std::string_view pattern, std::string_view value);
/// Likewise, could the pattern be found in it? The text before the first hidden piece decides.
bool may_match_hidden(const Pattern& pattern, std::string_view value);

}  // namespace xtrace
