#include "view/query/one_query.h"

#include <algorithm>
#include <set>

#include "view/common/filter.h"
#include "view/query/query_name.h"

namespace xtrace {

void OneQuery::declare(Options& options) {
  options.group(kFilters);
  options.add("--query", name_, "ID",
              "only the calls or spans of this query: its id, a call or span in it, or file:line");
  options.group({});
}

Result<const Query*> OneQuery::find(const Question& question, std::optional<size_t> query) const {
  if (!query && !is_named()) return nullptr;
  known_ = find_trace_queries(question, known_);
  if (!query) {
    Result<size_t> found = find_query(question, known_->all, name_);
    if (!found) return tl::unexpected(found.error());
    query = *found;
  }
  return &known_->all[*query];
}

void narrow(Selection& selection, const Query& query, const Graph& graph) {
  const Trace& trace = graph.trace();
  std::vector<bool> asked(trace.calls.size());
  for (const CallId call : query.calls) asked[call.index] = true;
  const auto is_asked = [&](const Link& link) {
    return asked[link.from.index] && asked[link.to.index];
  };
  const auto asked_links = std::ranges::count_if(graph.links(), is_asked);
  std::erase_if(selection.links, [&](uint32_t i) { return !is_asked(graph.links()[i]); });
  std::erase_if(selection.adjusted, [&](const Link& link) { return !is_asked(link); });
  selection.hidden.nodes = 0;
  selection.hidden.edges = asked_links - static_cast<int64_t>(selection.links.size());
  for (size_t i = 0; i < asked.size(); ++i) {
    const bool is_call = trace.calls[i].outcome != Outcome::unrecorded;
    selection.hidden.nodes += asked[i] && !selection.calls[i] && is_call;
    if (!asked[i]) selection.calls[i] = false;
  }
}

void narrow(HopSelection& selection, const Query& query, const Trace& trace, const Hops& hops) {
  const std::set<SpanId> spans(query.spans.begin(), query.spans.end());
  const auto is_asked = [&](HopId id) -> bool {
    const SpanId span = hops[id].span;
    return span && !trace[span].is_of_query && spans.contains(span);
  };
  selection.narrow(hops, is_asked);
  // An edge is shown with both its ends; one from another query is not part of this one.
  for (size_t i = 0; i < hops.edges.size(); ++i)
    if (!is_asked(hops.edges[i].from)) selection.edges[i] = false;
  for (size_t i = 0; i < hops.all.size(); ++i)
    if (hops.all[i].cause && !is_asked(hops.all[i].cause)) selection.causes[i] = false;
}

}  // namespace xtrace
