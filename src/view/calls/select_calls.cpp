#include "view/calls/select_calls.h"

#include <algorithm>
#include <set>

#include "view/calls/adjusted_links.h"
#include "view/common/field.h"
#include "view/common/wanted.h"

namespace xtrace {

namespace {

/// An agent is meant by its type, by the name of one instance, which is shown as Explore#2, by that
/// name in one session, and by the id that the log itself gives it.
std::string in_session(const std::string& session, const Agent& agent) {
  return session + '/' + agent_name(agent);
}

Result<Filter> meant_names(const Filter& asked, const Graph& graph,
                           std::vector<PartOfNames>& told) {
  const Trace& trace = graph.trace();
  std::set<std::string> sessions, agents, whole, tools;
  for (const Session& session : graph.sessions()) sessions.insert(session_name(trace, session));
  for (const Agent& agent : graph.agents()) {
    agents.insert(agent.type);
    whole.insert(agent_name(agent));
    if (agent.id) whole.emplace(trace[agent.id]);
    whole.insert(in_session(session_name(trace, graph.session_of(agent.calls.front())), agent));
  }
  for (const ToolUse& use : trace.tool_uses) tools.emplace(trace[use.name]);
  Filter filter = asked;
  struct {
    const char* what;
    std::vector<std::string>& wanted;
    const std::set<std::string>& names;
    const std::set<std::string>& whole;
  } lists[] = {{"run", filter.runs, sessions, {}},
               {"session", filter.sessions, sessions, {}},
               {"agent", filter.agents, agents, whole},
               {"tool", filter.tools, tools, {}}};
  for (auto& list : lists) {
    Result<std::vector<std::string>> meant =
        names_meant(list.what, list.wanted, list.names, list.whole, told);
    if (!meant) return tl::unexpected(meant.error());
    list.wanted = *std::move(meant);
  }
  return filter;
}

bool is_of_agent(const Filter& filter, const Graph& graph, const Agent& agent,
                 const std::string& session) {
  return filter.agents.empty() || any_of(filter.agents, agent.type) ||
         any_of(filter.agents, agent_name(agent)) ||
         (agent.id && any_of(filter.agents, graph.trace()[agent.id])) ||
         any_of(filter.agents, in_session(session, agent));
}

bool ended_so(const Filter& filter, const Graph& graph, CallId id) {
  if (any_of(filter.statuses, graph.trace()[id].outcome)) return true;
  const std::span<const Activity> tools = graph.activities().tools_of(id);
  return any_of(filter.statuses, kToolErrorStatus) &&
         std::any_of(tools.begin(), tools.end(),
                     [](const Activity& tool) { return tool.outcome == Outcome::error; });
}

}  // namespace

/// Names that nothing has are errors, told before anything is left out: a typing mistake must not
/// look like an empty answer. A link is shown with both its ends or not at all.
Result<Selection> select_calls(const Filter& asked, const Graph& graph, const Zone& zone) {
  const Timeline& timeline = graph.timeline();
  Selection selection;
  Result<Filter> meant = meant_names(asked, graph, selection.hidden.parts);
  if (!meant) return tl::unexpected(meant.error());
  const Filter& filter = *meant;
  for (Status checked :
       {check_edges(filter.edges, filter.no_edges, "links of model calls", kLinkWords),
        check_statuses(filter.statuses, {&kToolErrorStatus, 1})})
    if (!checked) return tl::unexpected(checked.error());

  Time newest = kNoTime;
  for (const Call& call : graph.trace().calls) newest = std::max(newest, call.start);
  Result<Period> period = read_period(filter.since, filter.until, newest, zone);
  if (!period) return tl::unexpected(period.error());
  selection.hidden.since = period->meant_since;
  selection.hidden.until = period->meant_until;
  Result<int64_t> min_cost = read_min_cost(filter.min_cost);
  if (!min_cost) return tl::unexpected(min_cost.error());

  bool is_any_shown = false;
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
                 is_of_agent(filter, graph, agent, session) && ended_so(filter, graph, id) &&
                 period->holds(call.start) &&
                 (*min_cost < 0 || graph.activities().of(id).cost >= *min_cost);
    selection.calls.push_back(shown);
    is_any_shown |= shown;
    // What only the report of an agent tells of counts as no call anywhere.
    if (!shown && call.outcome != Outcome::unrecorded) ++selection.hidden.nodes;
  }
  if (const int64_t hidden = selection.hidden.nodes; hidden > 0 && !is_any_shown)
    selection.hidden.by = blame(asked, hidden, [&](const Filter& one) {
      const Result<Selection> alone = select_calls(one, graph, zone);
      return alone ? alone->hidden.nodes : 0;
    });
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
