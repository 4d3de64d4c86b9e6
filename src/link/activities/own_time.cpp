#include "link/activities/own_time.h"

#include <algorithm>
#include <array>

#include "link/activities/activities.h"
#include "link/activities/deed.h"

namespace xtrace {

namespace {

/// Something begins (1) or ends (-1).
struct PartChange {
  Time at;
  PathPart part;
  int change;
};

/// What tools did before the end of the call that asked for them.
std::vector<PartChange> changes_by_tools(const Graph& graph, CallId call) {
  std::vector<PartChange> changes;
  const Time end = graph.trace()[call].end();
  const auto add = [&](PathPart part, Time from, Time to) {
    to = std::min(to, end);
    if (from >= to) return;
    changes.push_back({from, part, 1});
    changes.push_back({to, part, -1});
  };
  for (const Activity& tool : graph.activities().tools_of(call)) {
    if (!tool.ran.is_timed) continue;
    const ToolWait wait = wait_for(graph, tool);
    const Time allowed = std::min(after(wait.from, tool.waited_for_leave), wait.end());
    add(PathPart::permission, wait.from, allowed);
    add(asks_a_person(tool.tool) ? PathPart::person : PathPart::tool, allowed, wait.end());
  }
  std::sort(changes.begin(), changes.end(),
            [](const PartChange& a, const PartChange& b) { return a.at < b.at; });
  return changes;
}

}  // namespace

ToolWait wait_for(const Graph& graph, const Activity& tool) {
  const Trace& trace = graph.trace();
  const Time ended = trace[tool.call].end();
  ToolWait wait{ended};
  if (tool.ran.is_timed) {
    const Time came = after(ended, tool.ran.until);
    wait.from = std::min(std::max(after(came, -tool.ran.length), trace[tool.call].start), ended);
    // Behind the last answer nobody waits.
    wait.took = elapsed(wait.from, tool.reader ? came : std::min(came, ended));
  } else if (tool.reader && !tool.ran.is_inside) {
    wait.took =
        tool.ran.until != kNoDuration ? tool.ran.until : elapsed(ended, trace[tool.reader].start);
  }
  return wait;
}

std::vector<OwnTime> own_time(const Graph& graph, CallId call) {
  std::vector<OwnTime> pieces;
  Time at = graph.trace()[call].start;
  std::array<int, kPathParts> open{};
  const auto add_until = [&](Time to) {
    if (to <= at) return;
    const auto foremost =
        std::find_if(open.begin(), open.end(), [](int count) { return count > 0; });
    const PathPart part =
        foremost == open.end() ? PathPart::model : static_cast<PathPart>(foremost - open.begin());
    if (!pieces.empty() && pieces.back().part == part)
      pieces.back().to = to;
    else
      pieces.push_back({part, at, to});
    at = to;
  };
  for (const PartChange& one : changes_by_tools(graph, call)) {
    add_until(one.at);
    open[static_cast<size_t>(one.part)] += one.change;
  }
  add_until(graph.trace()[call].end());
  return pieces;
}

Duration time_of_model(const Graph& graph, CallId call) {
  Duration sum{0};
  for (const OwnTime& piece : own_time(graph, call))
    if (piece.part == PathPart::model) sum = plus(sum, elapsed(piece.from, piece.to));
  return sum;
}

}  // namespace xtrace
