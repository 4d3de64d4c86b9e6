#include "view/calls/deduplicate_calls.h"

#include <set>
#include <tuple>

namespace xtrace {

namespace {

/// Is one better to stand for the call? Always one log's, so that no agent is there twice.
bool stands_before(const Timeline& timeline, CallId one, CallId other) {
  auto order = [&](CallId id) {
    return std::tuple(!timeline[id].in_transcript, timeline[id].source.file, id);
  };
  return order(one) < order(other);
}

/// Both ends shown, neither the same call nor a link that another log has as well.
void narrow_links(const Graph& graph, Selection& selection) {
  std::set<std::tuple<CallId, CallId, LinkKind, uint32_t>> known;
  std::erase_if(selection.links, [&](uint32_t i) {
    const Link& link = graph.links()[i];
    CallId from = selection.standing(link.from), to = selection.standing(link.to);
    if (from == to || !selection.shows(from) || !selection.shows(to)) return true;
    return !selection.stands_for.empty() &&
           !known.insert({from, to, link.kind, link.key.index}).second;
  });
}

}  // namespace

void deduplicate_calls(const Graph& graph, Selection& selection) {
  const std::vector<CallId>& first = graph.partners().stands_for;
  bool any = false;
  for (size_t i = 0; i < first.size(); ++i) any |= first[i] != CallId(i);
  if (!any) return;
  std::vector<CallId> best(first.size());  // by the first one of a call
  for (size_t i = 0; i < first.size(); ++i) {
    CallId& known = best[first[i].index];
    bool is_better = !known || stands_before(graph.timeline(), CallId(i), known);
    if (selection.shows(CallId(i)) && is_better) known = CallId(i);
  }
  for (size_t i = 0; i < first.size(); ++i) {
    CallId stands = best[first[i].index];
    selection.stands_for.push_back(stands ? stands : CallId(i));
    if (stands != CallId(i)) selection.calls[i] = false;
  }
  narrow_links(graph, selection);
}

void leave_out_unrecorded(const Graph& graph, Selection& selection) {
  for (size_t i = 0; i < selection.calls.size(); ++i)
    if (graph.trace().calls[i].outcome == Outcome::unrecorded) selection.calls[i] = false;
  narrow_links(graph, selection);
}

}  // namespace xtrace
