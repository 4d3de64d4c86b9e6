#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "link/graph/graph.h"

namespace xtrace {

/// What a project is called that is not named.
inline constexpr std::string_view kNoProject = "default";

/// What one question to a system set off: the spans that bear its id, or in a log of model calls,
/// one turn of a user with all it caused.
struct Query {
  /// Why it is a query.
  enum class From : uint8_t {
    log,      ///< the log itself names it
    trace,    ///< a run or a trace stands for it
    turn,     ///< of a user
    session,  ///< the totals of one
  };
  From from = From::trace;
  std::string_view id;  ///< the log's own; else of the run or trace, or of the turn's first call
  std::string_view project;  ///< empty: none is named
  bool shares_id = false;    ///< another project has one of that id
  Time start = kNoTime;
  std::vector<SpanId> spans;  ///< in order of time; of one time, in that of the input
  std::vector<CallId> calls;  ///< in order of time
  /// Rows of the ledger that statements of a session, and no query of it, account for; with it
  /// the queries of an input add up to the ledger (view/query/trace_view.cpp).
  std::vector<size_t> unplaced = {};
};
constexpr std::string_view word(Query::From from) {
  constexpr std::string_view kWords[] = {"log", "trace", "turn", "session"};
  return kWords[static_cast<size_t>(from)];
}

/// All of them, by start. Every span and every call is in exactly one.
///
/// A span without an id of its own belongs to the query of the span it names first as its parent;
/// where that has none, nor any above it, to the only query that its trace names; else its run, or
/// where there is none, its trace, represents a query.
std::vector<Query> find_queries(const Graph& graph);

/// The same of model calls: a turn begins with what a user says, and goes on with the calls that
/// read its tool results, with its subagents, and with attempts that repeat one of them.
std::vector<Query> find_turns(const Graph& graph);

/// The turn of each call of a conversation, from 1, in the order of its calls: what a user says
/// that is no tool's result begins one, unless it is said again after a failure.
std::vector<uint32_t> number_turns(const Graph& graph, const Conversation& conversation);

/// Does the call begin a turn of its conversation, as number_turns() has it? The first one does in
/// any case.
bool begins_turn(const Graph& graph, CallId call);

/// Does the call answer words of a user, and not only what tools, clients or other agents told it?
bool answers_a_user(const Graph& graph, CallId call);
/// Does the call's request bring a program's notice that something in the background has ended?
bool brings_notice(const Graph& graph, CallId call);

/// The link by which an agent began: what spawned it, or handed a conversation over to it; nullptr:
/// a user began it.
const Link* beginning_of(const Graph& graph, const Agent& agent);

/// The link by which a call belongs to a turn that an earlier call began; nullptr: it begins one.
const Link* cause_in_turn(const Graph& graph, CallId call);

}  // namespace xtrace
