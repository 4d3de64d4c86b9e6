#include "live/live_screen.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/system.h"
#include "base/text.h"

namespace xtrace {

std::string LiveScreen::draw(const ShownGraph& graph, Moment newest) const {
  const TerminalSize terminal = terminal_size().value_or(TerminalSize{24, 80});
  constexpr std::string_view kEndOfLine = "\x1b[K\r\n";
  std::string head =
      fmt::format("{} nodes, {} edges{}", graph.nodes(), graph.edges(),
                  newest.time == kNoTime ? "" : fmt::format(", newest {}", format_time(newest)));
  std::string out = "\x1b[H";
  out +=
      colour_ ? "\x1b[1m" + clip(head, terminal.columns) + "\x1b[0m" : clip(head, terminal.columns);
  std::vector<GraphRows::Node> rows = graph.newest(terminal.rows > 1 ? terminal.rows - 1 : 1);
  for (const GraphRows::Node& node : rows) {
    bool failed = node.row.find(" ERROR") != std::string::npos;
    out += kEndOfLine;
    std::string line = clip(node.row, terminal.columns);
    out += colour_ && failed ? "\x1b[31m" + line + "\x1b[0m" : line;
  }
  return out + "\x1b[K\x1b[J";
}

}  // namespace xtrace
