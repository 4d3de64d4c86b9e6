#pragma once

#include <string>

#include "live/shown_graph.h"

namespace xtrace {

/// A graph on a terminal while it grows: the newest nodes, the newest at the bottom, as many as
/// there is room for. It uses the terminal's other screen and leaves the first one as it was.
class LiveScreen {
 public:
  explicit LiveScreen(bool colour) : colour_(colour) {}

  std::string enter() const { return "\x1b[?1049h\x1b[?25l"; }
  std::string leave() const { return "\x1b[?25h\x1b[?1049l"; }
  /// What shows `graph` in place of what was shown.
  std::string draw(const ShownGraph& graph, Moment newest) const;

 private:
  bool colour_;
};

}  // namespace xtrace
