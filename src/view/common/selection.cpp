#include "view/common/selection.h"

namespace xtrace {

std::vector<CallId> Selection::shown(std::span<const CallId> of) const {
  std::vector<CallId> shown;
  for (CallId call : of)
    if (shows(call)) shown.push_back(call);
  return shown;
}

void Hidden::add(const Hidden& other) {
  nodes += other.nodes;
  edges += other.edges;
  parts.insert(parts.end(), other.parts.begin(), other.parts.end());
  if (!since) since = other.since;
  if (!until) until = other.until;
}

void HopSelection::narrow(const Hops& of, const std::function<bool(HopId)>& is_asked) {
  hidden.nodes = hidden.edges = 0;
  std::vector<bool> asked(hops.size());
  for (size_t i = 0; i < hops.size(); ++i) {
    asked[i] = is_asked(HopId(i));
    hidden.nodes += asked[i] && !hops[i];
    if (!asked[i]) hops[i] = causes[i] = false;
  }
  for (size_t i = 0; i < edges.size(); ++i) {
    const bool is_asked_for = asked[of.edges[i].to.index];
    hidden.edges += is_asked_for && !edges[i];
    if (!is_asked_for) edges[i] = false;
  }
}

}  // namespace xtrace
