#include "view/common/selection.h"

namespace xtrace {

std::vector<CallId> Selection::shown(std::span<const CallId> of) const {
  std::vector<CallId> shown;
  for (CallId call : of)
    if (shows(call)) shown.push_back(call);
  return shown;
}

void HopSelection::narrow(const Hops& of, const std::function<bool(HopId)>& is_asked) {
  hidden.nodes = hidden.edges = 0;
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
