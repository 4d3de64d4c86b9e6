#pragma once

#include <cstddef>
#include <optional>

namespace xtrace {

struct TerminalSize {
  size_t rows = 0, columns = 0;
};
/// What a text is written to, by its descriptor.
enum class StandardStream : int { output = 1, errors = 2 };
/// Of the terminal that the stream is; nothing if it is none, or one that does not tell.
std::optional<TerminalSize> terminal_size(StandardStream stream = StandardStream::output);
/// How many columns a text on the stream may have: those of `COLUMNS`, else of the terminal, 40 at
/// least; `otherwise` where neither tells.
size_t terminal_columns(size_t otherwise, StandardStream stream = StandardStream::output);

}  // namespace xtrace
