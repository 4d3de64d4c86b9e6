#include "view/calls/select_calls.h"

#include <algorithm>
#include <set>

#include "view/calls/adjusted_links.h"
#include "view/common/field.h"
#include "view/common/wanted.h"

namespace xtrace {

/// Names that nothing has are errors, told before anything is left out: a typing mistake must not
/// look like an empty answer. A link is shown with both its ends or not at all.
Result<Selection> select_calls(const Filter& filter, const Graph& graph) {
  const Timeline& timeline = graph.timeline();
  std::set<std::string> sessions, agents, tools;
  for (const Session& session : graph.sessions())
    sessions.insert(session_name(graph.trace(), session));
  for (const Agent& agent : graph.agents()) {
    agents.insert(agent.type);
    agents.insert(agent_name(agent));
  }
  for (const ToolUse& use : graph.trace().tool_uses)
    tools.insert(std::string(graph.trace()[use.name]));
  for (Status checked :
       {check_names("run", filter.runs, sessions),
        check_names("session", filter.sessions, sessions),
        check_names("agent", filter.agents, agents), check_names("tool", filter.tools, tools),
        check_edges(filter.edges, "links of model calls", kLinkWords),
        check_edges(filter.no_edges, "links of model calls", kLinkWords),
        check_statuses(filter.statuses)})
    if (!checked) return tl::unexpected(checked.error());

  Time newest = kNoTime;
  for (const Call& call : graph.trace().calls) newest = std::max(newest, call.start);
  Result<Period> period = read_period(filter.since, filter.until, newest);
  if (!period) return tl::unexpected(period.error());
  Result<int64_t> min_cost = read_min_cost(filter.min_cost);
  if (!min_cost) return tl::unexpected(min_cost.error());

  Selection selection;
  for (size_t i = 0; i < graph.trace().calls.size(); ++i) {
    CallId id(i);
    const Call& call = timeline[id];
    const Agent& agent = graph.agent_of(id);
    bool uses = filter.tools.empty();
    if (!uses)
      for (const ToolUse* use : graph.tool_uses_of(id))
        uses |= any_of(filter.tools, graph.trace()[use->name]);
    std::string session = session_name(graph.trace(), graph.session_of(id));
    bool shown = uses && any_of(filter.runs, session) && any_of(filter.sessions, session) &&
                 (any_of(filter.agents, agent.type) || any_of(filter.agents, agent_name(agent))) &&
                 any_of(filter.statuses, word(call.outcome)) && period->holds(call.start) &&
                 (*min_cost < 0 || graph.activities().of(id).cost >= *min_cost);
    selection.calls.push_back(shown);
    if (!shown) ++selection.hidden.nodes;
  }
  for (uint32_t i = 0; i < graph.links().size(); ++i) {
    const Link& link = graph.links()[i];
    bool shown = selection.shows(link.from) && selection.shows(link.to) &&
                 filter.shows_edge(word(link.kind)) &&
                 reaches(confidence(link), filter.min_confidence);
    if (shown)
      selection.links.push_back(i);
    else
      ++selection.hidden.edges;
  }
  selection.adjusted = adjusted_links(graph, selection, [&](const Link& link) {
    return filter.shows_edge(word(link.kind)) && reaches(confidence(link), filter.min_confidence);
  });
  return selection;
}

void leave_out_unrecorded(const Graph& graph, Selection& selection) {
  for (size_t i = 0; i < selection.calls.size(); ++i)
    if (graph.trace().calls[i].outcome == Outcome::unrecorded) selection.calls[i] = false;
  std::erase_if(selection.links, [&](uint32_t i) {
    const Link& link = graph.links()[i];
    return !selection.shows(link.from) || !selection.shows(link.to);
  });
}

}  // namespace xtrace
