#pragma once

#include <string_view>

namespace xtrace {

/// Does something stand there in place of a value that was hidden before xtrace read it, as in a
/// part or in what `convert` wrote: `[REDACTED:home:1]/notes.txt`? Of the log itself nothing is
/// hidden from a suite.
bool holds_hidden(std::string_view value);

/// Could the value fit the pattern, in which `*` stands for anything, if one knew what is hidden?
/// False if nothing is.
bool may_fit_wildcards(std::string_view pattern, std::string_view value);

}  // namespace xtrace
