#pragma once

namespace xtrace {

struct RawTrace;

/// Makes calls of what a log of thoughts says: all records of one request id are one
/// call, from the first to the last of them. What they count is the call's where they state it, and
/// the tokens that they hold one by one where they do not. Leaves no thought behind.
void join_thoughts(RawTrace& trace);

}  // namespace xtrace
