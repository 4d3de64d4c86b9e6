#include "link/hops/hops.h"

#include <algorithm>

#include "link/hops/span_linkers.h"

namespace xtrace {

bool starts_before_cause(const Hops& hops, const Hop& hop) {
  return hop.cause && hop.start != kNoTime && hop.start < hops[hop.cause].start;
}

std::vector<HopId> Hops::more_causes_of(HopId hop) const {
  std::vector<HopId> causes;
  if (const HopId parent = (*this)[hop].parent; parent && parent != (*this)[hop].cause)
    causes.push_back(parent);
  const auto first = std::ranges::lower_bound(more_causes, hop, {}, &MoreCause::hop);
  for (auto more = first; more != more_causes.end() && more->hop == hop; ++more)
    causes.push_back(more->cause);
  return causes;
}

namespace {

/// Reports the edges of stored graphs of which an end is in no input.
void check_stored_edges(const Trace& trace, Hops& hops) {
  if (trace.told_edges.empty()) return;
  std::vector<bool> is_node(trace.strings.size());
  for (const Span& span : trace.spans)
    if (span.id) is_node[span.id.index] = true;
  for (const ToldEdge& edge : trace.told_edges)
    if (!is_node[edge.from.index] || !is_node[edge.to.index])
      hops.complaints.push_back({edge.source,
                                 "an edge leads to or from a node that is not in the input",
                                 Complaint::Kind::parent});
}

}  // namespace

Hops find_hops(const Trace& trace, const LinkOptions& linking) {
  Hops hops;
  observe_hops(trace, hops);
  type_actors(hops);
  sort_into_runs(trace, hops);
  follow_parents(trace, hops);
  check_stored_edges(trace, hops);
  std::vector<bool> named(hops.all.size());
  name_agents(trace, hops, named);
  name_services(trace, named, hops);
  name_principals(trace, hops);
  backtrack(trace, linking, hops);
  name_principals_of_causes(hops);
  return hops;
}

}  // namespace xtrace
