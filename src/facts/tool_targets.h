#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "facts/trace.h"

namespace xtrace {

/// How words are shown that were given in place of a path or address: `[text:12]`, with their
/// length in characters.
std::string words_given(uint32_t characters);
/// The length that such a text states; 0: it is none.
uint32_t words_given_in(std::string_view shown);

/// All files and addresses that a tool use of the trace works on, each once, in the order in which
/// its arguments name them; none where they name none.
std::vector<StringId> targets_of(const Trace& trace, const ToolUse& use);

}  // namespace xtrace
