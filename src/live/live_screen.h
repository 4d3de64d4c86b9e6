#pragma once

#include <string>

#include "live/live_graph.h"

namespace xtrace {

/// A graph on a terminal while it grows: the newest nodes, the newest at the bottom, as many as
/// there is room for. It uses the terminal's other screen and leaves the first one as it was.
class LiveScreen {
 public:
  LiveScreen(bool colour, Zone zone) : colour_(colour), zone_(zone) {}

  std::string enter() const { return "\x1b[?1049h\x1b[?25l"; }
  std::string leave() const { return "\x1b[?25h\x1b[?1049l"; }
  /// What shows `graph` in place of what was shown, with a line for each session: what it does now.
  std::string draw(const LiveGraph& graph, Time now) const;

 private:
  bool colour_;
  Zone zone_;
};

}  // namespace xtrace
