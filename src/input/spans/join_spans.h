#pragma once

#include <string_view>

namespace xtrace {

struct RawTrace;

/// What several records tell of one span becomes one span, in whatever order they stand: where it
/// was begun, with what was known of it later. Of what no record begins, a record that shows when
/// it began represents all of it; else nothing shows what it was, which is said. States of a
/// running span that were written one by one are one span too.
void join_span_parts(RawTrace& trace);

/// Is this Claude Code's span of the work that a tool does, inside the one of its use?
bool is_tool_execution(std::string_view operation);

/// What agents tell of one call or one run of a tool in several places becomes one span: what their
/// logs tell fills in what the span of a trace left open, and a use of a tool failed if its
/// execution did.
void join_agent_spans(RawTrace& trace);

/// Gives each span that names no conversation the one that its trace is told to be part of, and
/// each that names no user the one whose it is. A trace that is of one call alone is no session:
/// gateways make one up for each call that names none.
void name_sessions_of_traces(RawTrace& trace);

}  // namespace xtrace
