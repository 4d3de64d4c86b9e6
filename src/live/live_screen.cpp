#include "live/live_screen.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/system.h"
#include "base/text.h"

namespace xtrace {

namespace {

/// What each session does, the one that changed last first.
std::vector<std::string> session_lines(const LiveGraph& graph, Time now) {
  std::vector<const LiveSession*> sessions;
  sessions.reserve(graph.sessions().size());
  for (const auto& [id, session] : graph.sessions()) sessions.push_back(&session);
  std::ranges::stable_sort(sessions, [](const LiveSession* a, const LiveSession* b) {
    return a->state.since > b->state.since;
  });
  std::vector<std::string> lines;
  lines.reserve(sessions.size());
  for (const LiveSession* session : sessions)
    lines.push_back(printable(
        fmt::format("{}: {}", session->label, state_words(session->state, session->tool, now))));
  return lines;
}

}  // namespace

std::string LiveScreen::draw(const LiveGraph& graph, Time now) const {
  const ShownGraph& nodes = graph.shown();
  const Moment newest = graph.newest();
  const TerminalSize terminal = terminal_size().value_or(TerminalSize{24, 80});
  constexpr std::string_view kEndOfLine = "\x1b[K\r\n";
  std::string head = fmt::format(
      "{} nodes, {} edges{}", nodes.nodes(), nodes.edges(),
      newest.time == kNoTime
          ? ""
          : fmt::format(", newest {} {}", zone_.clock(newest.time), zone_.name(newest.time)));
  std::string out = "\x1b[H";
  out +=
      colour_ ? "\x1b[1m" + clip(head, terminal.columns) + "\x1b[0m" : clip(head, terminal.columns);
  // Steps get two thirds of the room at least.
  std::vector<std::string> sessions = session_lines(graph, now);
  sessions.resize(std::min(sessions.size(), terminal.rows / 3));
  for (const std::string& line : sessions) {
    out += kEndOfLine;
    out += clip(line, terminal.columns);
  }
  const size_t taken = sessions.size() + 1;
  const std::vector<GraphRows::Node> rows =
      nodes.newest(terminal.rows > taken ? terminal.rows - taken : 1);
  for (const GraphRows::Node& node : rows) {
    bool failed = node.row.find(" ERROR") != std::string::npos;
    out += kEndOfLine;
    std::string line = clip(node.row, terminal.columns);
    out += colour_ && failed ? "\x1b[31m" + line + "\x1b[0m" : line;
  }
  return out + "\x1b[K\x1b[J";
}

}  // namespace xtrace
