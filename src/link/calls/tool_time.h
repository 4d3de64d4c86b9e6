#pragma once

#include "facts/call.h"
#include "facts/message.h"

namespace xtrace {

/// How long a tool ran that an answer asked for.
///
///     answer      reader
///     ▓▓▓▓┐        ┌▓▓▓▓
///         ├─ t1 ─┤ │          t1 and t2 were asked for at once: each has the time of its own
///         ├─ t2 ───┤          result, and the request had to wait for the last
///
/// Where the log measured it, that is how long it ran: what is missing until its result came was a
/// wait before it. Where the log dates no results, the request that brings them tells. A result
/// that is in an answer ended before that did: what came behind it did not wait for the tool.
struct ToolTime {
  Duration length = kNoDuration;
  /// The log has the moments when it began, `length` before `until`, and when it ended. An answer
  /// that is written down when its tools have ended holds their time in its own.
  bool is_timed = false;
  bool is_measured = false;  ///< by the log itself
  bool is_inside = false;    ///< it ran while an answer was made, and has no time behind one
  /// From the end of the answer until the result was there, and the wait for it over; below 0: it
  /// came while the answer was still being written. Unknown: the log does not date it.
  Duration until = kNoDuration;
};

/// `reader`: the call that is told the result; null: none is.
ToolTime tool_time(const Call& asked, const ToolResult& result, const Call* reader);

}  // namespace xtrace
