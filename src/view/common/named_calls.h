#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "link/graph/graph.h"

namespace xtrace {

/// The calls that a name means by its id or place: the call of that id; those of which a line tells
/// that stands there.
std::vector<CallId> calls_by_id(const Graph& graph, std::string_view name);

/// The calls that another name of an answer leads to: who asked for a tool use; the first call of
/// an agent's instance (`Explore#3`), of a session, of a turn, each also behind a session's name
/// (`SESSION/Explore#3`); the next call behind a line that none stands on. Several: the name may
/// mean any of them.
std::vector<CallId> calls_by_name(const Graph& graph, std::string_view name);

/// The calls with which the turns begin that are called so: `9`, `turn 9`, and where several agents
/// talk to users, as CallAccount::name() has it, `main turn 9`; each also behind a session's name.
std::vector<CallId> calls_by_turn(const Graph& graph, std::string_view name);

/// The first calls of those that somebody started and that are called so: `Explore#3`, also as
/// `Explore 3` and, where all are of one type, `subagent 3`; where a session has one of its type,
/// `Explore`; also behind a session's name.
std::vector<CallId> calls_by_subagent(const Graph& graph, std::string_view name);

/// Where a name is of the form of a turn, a place or an agent's instance, and none is called so:
/// what there is of that kind, as the end of a sentence. Else empty.
std::string other_calls(const Graph& graph, std::string_view name);

}  // namespace xtrace
