#include "view/common/named_calls.h"

#include <algorithm>
#include <span>

#include "base/number.h"
#include "link/graph/queries.h"
#include "view/common/place.h"

namespace xtrace {

namespace {

/// All places where something tells of the call.
template <class Each>
void for_each_place(const Trace& trace, CallId id, Each each) {
  const Call& call = trace[id];
  each(call.source);
  for (const Extent& at : std::span(trace.places).subspan(call.first_place, call.places)) each(at);
  for (const OtherRecord& other : trace.other_records)
    if (other.call == id) each(other.at);
}

std::vector<CallId> by_tool_use(const Graph& graph, std::string_view name) {
  std::vector<CallId> found;
  for (CallId id : graph.timeline().in_order())
    for (const ToolUse* use : graph.tool_uses_of(id))
      if (use->id && graph.trace()[use->id] == name) found.push_back(id);
  return found;
}

/// A subagent whose calls are not on record: by who started it.
std::vector<CallId> by_started_subagent(const Graph& graph, std::string_view name) {
  std::vector<CallId> found;
  for (const Activity& done : graph.activities().all)
    if (done.subagent && graph.trace()[done.subagent] == name) found.push_back(done.call);
  return found;
}

/// `session`: only of that one; empty: of any.
std::vector<CallId> by_part(const Graph& graph, std::string_view session, std::string_view part) {
  std::vector<CallId> found;
  std::string_view number = part.starts_with("turn ") ? part.substr(5) : part;
  const std::optional<uint32_t> turn = number_of<uint32_t>(number);
  for (const Conversation& conversation : graph.conversations()) {
    CallId first = conversation.calls.front();
    if (!session.empty() && session_name(graph.trace(), graph.session_of(first)) != session)
      continue;
    const Agent& agent = graph.agents()[conversation.agent];
    if (agent_name(agent) == part || (agent.id && graph.trace()[agent.id] == part))
      found.push_back(first);
    if (!turn || agent.spawned) continue;
    const std::vector<uint32_t> turns = number_turns(graph, conversation);
    auto at = std::find(turns.begin(), turns.end(), *turn);
    // A conversation of one turn shows no number.
    if (at != turns.end() && turns.back() > 1)
      found.push_back(conversation.calls[static_cast<size_t>(at - turns.begin())]);
  }
  return found;
}

std::vector<CallId> by_session(const Graph& graph, std::string_view name) {
  for (const Session& session : graph.sessions())
    if (session_name(graph.trace(), session) == name) return {session.calls.front()};
  return {};
}

std::vector<CallId> behind_line(const Graph& graph, std::string_view name) {
  std::optional<Place> place = Place::read(name);
  if (!place) return {};
  std::vector<CallId> found;
  std::optional<uint64_t> nearest;
  for (CallId id : graph.timeline().in_order())
    for_each_place(graph.trace(), id, [&](const Extent& at) {
      std::optional<uint64_t> behind = place->until(graph.trace(), at);
      if (!behind || (nearest && *behind >= *nearest)) return;
      nearest = behind;
      found = {id};
    });
  return found;
}

}  // namespace

std::vector<CallId> calls_by_id(const Graph& graph, std::string_view name) {
  const Trace& trace = graph.trace();
  for (CallId id : graph.timeline().in_order())
    if (trace[trace[id].id] == name) return {id};
  std::optional<Place> place = Place::read(name);
  if (!place) return {};
  std::vector<CallId> own, told;
  for (CallId id : graph.timeline().in_order()) {
    if (place->is(trace, trace[id].source)) own.push_back(id);
    bool is_told = false;
    for_each_place(trace, id, [&](const Extent& at) { is_told |= place->is(trace, at); });
    if (is_told) told.push_back(id);
  }
  return own.empty() ? told : own;
}

std::vector<CallId> calls_by_name(const Graph& graph, std::string_view name) {
  std::vector<CallId> found = by_tool_use(graph, name);
  if (found.empty()) found = by_part(graph, {}, name);
  if (found.empty()) found = by_started_subagent(graph, name);
  if (found.empty()) found = by_session(graph, name);
  for (size_t slash = name.find('/'); found.empty() && slash != name.npos;
       slash = name.find('/', slash + 1))
    found = by_part(graph, name.substr(0, slash), name.substr(slash + 1));
  if (found.empty()) found = behind_line(graph, name);
  return found;
}

}  // namespace xtrace
