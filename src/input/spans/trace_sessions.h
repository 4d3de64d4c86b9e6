#pragma once

namespace xtrace {

struct RawTrace;

/// Gives each span that names no conversation the one that its trace is told to be part of.
void name_sessions_of_traces(RawTrace& trace);

}  // namespace xtrace
