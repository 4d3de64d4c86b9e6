#include <algorithm>

#include "link/replay/replay_builder.h"

namespace xtrace {

std::vector<Time> starts_of_calls(const Graph& graph, const ShownCalls& shown) {
  std::vector<Time> starts(graph.trace().calls.size(), kNoTime);
  std::vector<Time> last(graph.sessions().size(), kNoTime);  // when anything ended so far
  const auto end = [&](CallId id) {
    return std::max(starts[id.index], after(starts[id.index], graph.trace()[id].duration));
  };
  for (CallId id : graph.timeline().in_order()) {
    if (!shown.shows(id)) continue;
    Time& before = last[graph.session_of(id).number - 1];
    Time& start = starts[id.index];
    start = graph.trace()[id].start;
    if (start == kNoTime) {
      for (uint32_t i : graph.causes_of(id))
        if (const CallId from = graph.links()[i].from;
            shown.shows(from) && graph.timeline().before(from, id))
          start = std::max(start, end(from));
      if (start == kNoTime) start = before == kNoTime ? Time{} : before;
    }
    before = std::max(before, end(id));
  }
  return starts;
}

}  // namespace xtrace
