#pragma once

namespace xtrace {

struct RawTrace;

/// Makes calls of what transcripts say: all lines of one answer are one call, asked with what was
/// said since the one before. Calls know which one they go on from, and stand in the same tree of
/// messages as those of request logs. What an agent's report alone tells of becomes a call that is
/// not recorded. Usage that is stated of several calls becomes Trace::usage_statements. Leaves no
/// utterance behind.
void assemble_calls(RawTrace& trace);

}  // namespace xtrace
