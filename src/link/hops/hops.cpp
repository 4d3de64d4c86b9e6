#include "link/hops/hops.h"

#include <algorithm>
#include <utility>

#include "link/hops/span_linkers.h"

namespace xtrace {

bool starts_before_cause(const Hops& hops, const Hop& hop) {
  return hop.cause && hop.start != kNoTime && hop.start < hops[hop.cause].start;
}

void Hops::bound_alternatives() {
  constexpr size_t kAlways = 1000;  // in all; they take about 400 kB as OTLP, which is no burden
  constexpr size_t kPerHop = 2;     // as many again as there are hops, and their causes
  const size_t most = std::max(kAlways, kPerHop * all.size());
  const auto count_with = [&](size_t each) {
    size_t count = 0;
    for (const Hop& hop : all)
      if (!is_recorded(hop)) count += std::min<size_t>(hop.alternatives, each);
    return count;
  };
  uint32_t each = kMostAlternatives + 1;  // with the cause of a hop that no longer has one
  while (each > 1 && count_with(each) > most) --each;
  for (Hop& hop : all)
    if (!is_recorded(hop) && hop.alternatives > each) {
      hop.more_alternatives += hop.alternatives - each;
      hop.alternatives = each;
    }
}

void Hops::list_edges() {
  std::vector<HopEdge> recorded = std::exchange(edges, {});
  edges.reserve(all.size() + recorded.size());
  // An id that the clock denies proves less than one that fits.
  const auto add = [&](HopEdge edge) {
    const Time start = (*this)[edge.to].start;
    const bool is_by_id = edge.rule == Rule::parent || edge.rule == Rule::follows_from;
    if (is_by_id && start != kNoTime && start < (*this)[edge.from].start)
      edge.confidence = std::min(edge.confidence, kMostAgainstTheClock);
    edges.push_back(edge);
  };
  for (size_t i = 0; i < all.size(); ++i) {
    Hop& hop = all[i];
    if (hop.cause) {
      add({{hop.cause, HopId(i), hop.rule}, hop.confidence});
      hop.confidence = edges.back().confidence;
    }
    if (hop.parent && hop.parent != hop.cause) add({hop.parent, HopId(i)});
  }
  for (const HopEdge& edge : recorded)
    if (const Hop& hop = (*this)[edge.to]; edge.from != hop.cause && edge.from != hop.parent)
      add(edge);
  std::ranges::stable_sort(edges, {}, &HopEdge::to);
}

std::span<const HopEdge> Hops::edges_into(HopId hop) const {
  const auto first = std::ranges::lower_bound(edges, hop, {}, &HopEdge::to);
  const auto end = std::find_if(first, edges.end(), [&](const HopEdge& e) { return e.to != hop; });
  return {first, end};
}

namespace {

/// Reports the edges of stored graphs of which an end is in no input.
void check_stored_edges(const Trace& trace, Hops& hops) {
  if (trace.graph_edges.empty()) return;
  std::vector<bool> is_node(trace.strings.size());
  for (const Span& span : trace.spans)
    if (span.id) is_node[span.id.index] = true;
  for (const GraphEdge& edge : trace.graph_edges)
    if (!is_node[edge.from.index] || !is_node[edge.to.index])
      hops.complaints.push_back({edge.source,
                                 "an edge starts or ends at a node that is not in the input",
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
  hops.list_edges();
  name_principals_of_causes(hops);
  return hops;
}

}  // namespace xtrace
