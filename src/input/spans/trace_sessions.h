#pragma once

namespace xtrace {

struct RawTrace;

/// Gives each span that names no conversation the one that its trace is told to be part of, and
/// each that names no user the one whose it is. A trace that is of one call alone is no session:
/// gateways make one up for each call that names none.
void name_sessions_of_traces(RawTrace& trace);

}  // namespace xtrace
