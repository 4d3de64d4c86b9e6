#pragma once

#include <string>
#include <string_view>

namespace xtrace {

/// A text in a line of Markdown, which makes nothing of it and does not act on a terminal:
/// unchanged if none of its characters has a meaning there (names with `_`, times, paths), else as
/// code, in which nobody is mentioned and nothing becomes a link. Newlines become blanks.
std::string markdown_text(std::string_view text);

/// The same for a cell of a table, which a bar would end.
std::string markdown_cell(std::string_view text);

}  // namespace xtrace
