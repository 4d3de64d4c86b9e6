#include "view/calls/select_calls.h"

#include <algorithm>

#include "link/calls/session_names.h"
#include "view/calls/adjusted_links.h"
#include "view/common/wanted.h"

namespace xtrace {

namespace {

/// An agent is meant by its type, by the name of one instance, which is shown as Explore#2, by that
/// name in one session, and by the id that the log itself gives it. The type, which comes first,
/// may be written in part.
std::vector<std::string> names_of(const Trace& trace, const Agent& agent,
                                  const std::string& session) {
  std::vector<std::string> names = {agent.type, agent_name(agent),
                                    session + '/' + agent_name(agent)};
  if (agent.id) names.emplace_back(trace[agent.id]);
  return names;
}

Filterable filterable_in(const Graph& graph) {
  const Trace& trace = graph.trace();
  Filterable known{"links of model calls", kLinkWords, {&kToolErrorStatus, 1}};
  for (const Session& session : graph.sessions()) {
    known.runs.insert(session_name(trace, session));
    known.sources.emplace(source_of(trace, session));
    known.projects.emplace(last_folder(trace[session.project]));
    known.whole_projects.emplace(trace[session.project]);
  }
  known.sessions = known.runs;
  for (std::set<std::string>* names : {&known.sources, &known.projects, &known.whole_projects})
    names->erase("");
  for (const Agent& agent : graph.agents()) {
    const std::vector<std::string> names =
        names_of(trace, agent, session_name(trace, graph.session_of(agent.calls.front())));
    known.agents.insert(names.front());
    known.whole_agents.insert(names.begin() + 1, names.end());
  }
  for (const ToolUse& use : trace.tool_uses) known.tools.emplace(trace[use.name]);
  for (const Call& call : trace.calls) known.newest = std::max(known.newest, call.start);
  for (const Hop& hop : graph.hops().all) known.newest = std::max(known.newest, hop.start);
  return known;
}

/// Does the filter choose the session as a whole, whatever its calls did?
bool is_wanted(const Filter& filter, const Trace& trace, const Session& session) {
  const std::string name = session_name(trace, session);
  const std::string_view folder = trace[session.project];
  return any_of(filter.runs, name) && any_of(filter.sessions, name) &&
         (any_of(filter.projects, last_folder(folder)) || any_of(filter.projects, folder)) &&
         any_of(filter.sources, source_of(trace, session));
}

bool ended_so(const Filter& filter, const Graph& graph, CallId id) {
  if (any_of(filter.statuses, graph.trace()[id].outcome)) return true;
  const std::span<const Activity> tools = graph.activities().tools_of(id);
  return any_of(filter.statuses, kToolErrorStatus) &&
         std::any_of(tools.begin(), tools.end(),
                     [](const Activity& tool) { return tool.outcome == Outcome::error; });
}

}  // namespace

/// A link is shown with both its ends or not at all.
Result<Selection> select_calls(const Filter& asked, const Graph& graph, const Zone& zone) {
  Selection selection;
  const Result<ReadFilter> filter =
      read_filter(asked, filterable_in(graph), zone, selection.hidden);
  if (!filter) return tl::unexpected(filter.error());
  const Trace& trace = graph.trace();
  std::vector<bool> sessions;
  for (const Session& session : graph.sessions())
    sessions.push_back(is_wanted(*filter, trace, session));
  const auto is_wanted_call = [&](CallId id) {
    const Session& session = graph.session_of(id);
    const auto uses = [&](const ToolUse* use) { return any_of(filter->tools, trace[use->name]); };
    const auto means = [&](const std::string& name) { return any_of(filter->agents, name); };
    return (filter->tools.empty() || std::ranges::any_of(graph.tool_uses_of(id), uses)) &&
           sessions[session.number - 1] &&
           (filter->agents.empty() ||
            std::ranges::any_of(names_of(trace, graph.agent_of(id), session_name(trace, session)),
                                means)) &&
           ended_so(*filter, graph, id) && filter->period.holds(trace[id].start) &&
           graph.activities().of(id).cost >= filter->least_cost;
  };
  for (size_t i = 0; i < trace.calls.size(); ++i) {
    selection.calls.push_back(is_wanted_call(CallId(i)));
    // What only the report of an agent tells of counts as no call anywhere.
    selection.hidden.nodes += !selection.calls[i] && trace.calls[i].outcome != Outcome::unrecorded;
  }
  if (const int64_t hidden = selection.hidden.nodes;
      hidden > 0 && std::ranges::find(selection.calls, true) == selection.calls.end())
    selection.hidden.by =
        blame(asked, hidden, [&](const Filter& one) { return select_calls(one, graph, zone); });
  const auto is_chosen = [&](const Link& link) {
    return filter->shows_edge(word(link.kind), confidence(link));
  };
  for (uint32_t i = 0; i < graph.links().size(); ++i) {
    const Link& link = graph.links()[i];
    if (selection.shows(link.from) && selection.shows(link.to) && is_chosen(link))
      selection.links.push_back(i);
    else
      ++selection.hidden.edges;
  }
  selection.adjusted = adjusted_links(graph, selection, is_chosen);
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
