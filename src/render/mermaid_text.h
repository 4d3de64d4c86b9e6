#pragma once

#include <string>
#include <string_view>

namespace xtrace {

/// `line` in which Mermaid, and the Markdown and HTML it makes of a label, find nothing but text.
std::string mermaid_text(std::string_view line);

}  // namespace xtrace
