#include "base/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/number.h"

namespace xtrace {

std::optional<TerminalSize> terminal_size(StandardStream stream) {
  winsize size{};
  if (ioctl(static_cast<int>(stream), TIOCGWINSZ, &size) != 0 || size.ws_row == 0 ||
      size.ws_col == 0)
    return {};
  return TerminalSize{size.ws_row, size.ws_col};
}

size_t terminal_columns(size_t otherwise, StandardStream stream) {
  size_t columns = 0;
  if (const char* told = std::getenv("COLUMNS")) columns = number_of<size_t>(told).value_or(0);
  if (columns == 0)
    if (std::optional<TerminalSize> size = terminal_size(stream)) columns = size->columns;
  return columns == 0 ? otherwise : std::max<size_t>(columns, 40);
}

}  // namespace xtrace
