#pragma once

#include <string>
#include <string_view>

namespace xtrace {

/// Nothing in it is a sign of Markdown or a tag of HTML, nor acts on a terminal, and it is one
/// line.
std::string markdown_text(std::string_view text);

}  // namespace xtrace
