#include "view/common/selection.h"

namespace xtrace {

std::vector<EventId> Selection::shown(std::span<const EventId> of) const {
  std::vector<EventId> shown;
  for (EventId event : of)
    if (shows(event)) shown.push_back(event);
  return shown;
}

void HopSelection::narrow(const Hops& of, const std::function<bool(HopId)>& is_asked) {
  hidden = {};
  for (size_t i = 0; i < hops.size(); ++i) {
    if (!is_asked(HopId(i))) {
      hops[i] = causes[i] = false;
      continue;
    }
    hidden.nodes += !hops[i];
    hidden.edges += of.all[i].cause && !causes[i];
  }
}

}  // namespace xtrace
