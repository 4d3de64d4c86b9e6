#pragma once

namespace xtrace {

struct RawTrace;

/// Gives each span that names no conversation the one that its trace is told to be part of, and
/// each that names no user the one whose it is.
void name_sessions_of_traces(RawTrace& trace);

}  // namespace xtrace
