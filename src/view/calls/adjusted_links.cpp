#include "view/calls/adjusted_links.h"

#include <algorithm>
#include <set>
#include <utility>

namespace xtrace {

namespace {

int weight(const Link& link) {
  return row_of(link.kind).over_hidden;
}

/// The link by which a call came about: what it goes on from, else what spawned it.
const Link* main_cause(const Graph& graph, CallId id) {
  const Link* best = nullptr;
  for (uint32_t i : graph.causes_of(id)) {
    const Link& link = graph.links()[i];
    bool leads = weight(link) > 0 && link.kind != LinkKind::subagent_report;
    if (!leads || graph.against_the_clock(link)) continue;
    if (best == nullptr || weight(link) < weight(*best)) best = &link;
  }
  return best;
}

/// Nothing: nobody shown is on the way.
bool follow(const Graph& graph, const Selection& selection, Link& way) {
  while (!selection.shows(way.from)) {
    const Link* before = main_cause(graph, way.from);
    if (before == nullptr) return false;
    way.from = before->from;
    if (weight(*before) > weight(way)) way.kind = before->kind;
    way.given_confidence *= confidence(*before);
  }
  return true;
}

}  // namespace

std::vector<Link> adjusted_links(const Graph& graph, const Selection& selection,
                                 const std::function<bool(const Link&)>& is_wanted) {
  if (selection.hidden.nodes == 0) return {};
  std::set<std::pair<CallId, CallId>> known;  // joined without a detour, or by another one
  for (uint32_t i : selection.links) known.emplace(graph.links()[i].from, graph.links()[i].to);
  std::vector<Link> links;
  for (const Link& link : graph.links()) {
    if (selection.shows(link.from) || !selection.shows(link.to) || weight(link) == 0) continue;
    Link way;
    way.from = link.from;
    way.to = link.to;
    way.kind = link.kind == LinkKind::retry ? LinkKind::continuation : link.kind;
    way.rule = Rule::adjusted;
    way.given_confidence = confidence(link);
    if (graph.against_the_clock(link) || !follow(graph, selection, way)) continue;
    if (way.kind == LinkKind::retry) way.kind = LinkKind::continuation;
    way.gap = graph.timeline().gap(way.from, way.to);
    if (way.from != way.to && is_wanted(way) && known.emplace(way.from, way.to).second)
      links.push_back(way);
  }
  return links;
}

}  // namespace xtrace
