#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace xtrace {

/// What Mermaid draws at most unless whoever shows the page allows more; GitHub does not. Its
/// characters are fewer than our bytes.
inline constexpr size_t kMostMermaidBytes = 50'000;

/// `line` in which Mermaid, and the Markdown and HTML it makes of a label, find nothing but text.
std::string mermaid_text(std::string_view line);

}  // namespace xtrace
