#pragma once

#include "input/common/raw_trace.h"

namespace xtrace {

struct RawTrace;

/// Makes calls of what transcripts say: all lines of one answer are one call, asked with what was
/// said since the one before. Calls know which one they go on from, and are in the same tree of
/// messages as those of request logs. What an agent's report alone tells of becomes a call that is
/// not recorded. Usage that is stated of several calls becomes Trace::usage_statements. Leaves no
/// utterance behind.
void assemble_calls(RawTrace& trace);

/// Lines that any log may contain count as records only in a file that has unambiguous ones. In
/// other files they are removed and reported as of unknown shape.
void drop_ambiguous_lines(RawTrace& trace);

/// Several programs begin a file with the same heading: the next utterance determines its format.
void settle_formats(RawTrace& trace);

/// Makes calls of what a log of thoughts says: all records of one request id are one
/// call, from the first to the last of them. What they count is the call's where they state it, and
/// the tokens that they hold one by one where they do not. Leaves no thought behind.
void join_thoughts(RawTrace& trace);

}  // namespace xtrace
