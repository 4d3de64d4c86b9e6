#pragma once

#include <cstddef>
#include <optional>

namespace xtrace {

struct TerminalSize {
  size_t rows = 0, columns = 0;
};
/// Of the terminal that standard output is; nothing if it is none, or one that does not tell.
std::optional<TerminalSize> terminal_size();
/// How many columns a text on standard output may have: those of `COLUMNS`, else of the terminal,
/// 40 at least; `otherwise` where neither tells.
size_t terminal_columns(size_t otherwise);

}  // namespace xtrace
