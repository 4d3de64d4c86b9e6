#include "view/calls/deduplicate_calls.h"

#include <set>
#include <tuple>

namespace xtrace {

namespace {

/// Is one better to stand for the call? Always one log's, so that no agent is there twice.
bool stands_before(const Timeline& timeline, EventId one, EventId other) {
  auto order = [&](EventId id) {
    return std::tuple(!timeline.call(id).in_transcript, timeline[id].source.file, id);
  };
  return order(one) < order(other);
}

/// Both ends shown, neither the same call nor a link that another log has as well.
void narrow_links(const Graph& graph, Selection& selection) {
  std::set<std::tuple<EventId, EventId, LinkKind, uint32_t>> known;
  std::erase_if(selection.links, [&](uint32_t i) {
    const Link& link = graph.links()[i];
    EventId from = selection.standing(link.from), to = selection.standing(link.to);
    if (from == to || !selection.shows(from) || !selection.shows(to)) return true;
    return !selection.stands_for.empty() &&
           !known.insert({from, to, link.kind, link.key.index}).second;
  });
}

}  // namespace

void deduplicate_calls(const Graph& graph, Selection& selection) {
  const std::vector<EventId>& first = graph.partners().stands_for;
  bool any = false;
  for (size_t i = 0; i < first.size(); ++i) any |= first[i] != EventId(i);
  if (!any) return;
  std::vector<EventId> best(first.size());  // by the first one of a call
  for (size_t i = 0; i < first.size(); ++i) {
    EventId& known = best[first[i].index];
    bool is_better = !known || stands_before(graph.timeline(), EventId(i), known);
    if (selection.shows(EventId(i)) && is_better) known = EventId(i);
  }
  for (size_t i = 0; i < first.size(); ++i) {
    EventId stands = best[first[i].index];
    selection.stands_for.push_back(stands ? stands : EventId(i));
    if (stands != EventId(i)) selection.events[i] = false;
  }
  narrow_links(graph, selection);
}

void leave_out_unrecorded(const Graph& graph, Selection& selection) {
  for (size_t i = 0; i < selection.events.size(); ++i)
    if (graph.trace().events[i].outcome == Outcome::unrecorded) selection.events[i] = false;
  narrow_links(graph, selection);
}

}  // namespace xtrace
