#include "link/calls/tool_time.h"

namespace xtrace {

namespace {

/// A run that is played again may repeat the results of another, with their dates: those are of
/// another time than the call that asked and the call that reads. Some logs record results in the
/// record of the answer that asked for them, and have only the date of its begin or of its end.
bool is_of_its_time(const ToolResult& result, const Call& asked, const Call* reader) {
  const Time came = result.came;
  if (came == kNoTime || came <= asked.start) return false;
  if (came == asked.end() && !result.is_timed) return false;
  return reader == nullptr || reader->start == kNoTime || came <= reader->start;
}

}  // namespace

ToolTime tool_time(const Call& asked, const ToolResult& result, const Call* reader) {
  ToolTime ran;
  ran.is_inside = result.in_answer;
  // Of transcripts, which alone date results, a call without a length has the date of its answer.
  if (is_of_its_time(result, asked, reader)) ran.until = elapsed(asked.end(), result.came);
  ran.is_timed = result.is_timed && ran.until != kNoDuration;
  if (result.took != kNoDuration) {
    ran.length = result.took;
    ran.is_measured = true;
  } else if (ran.until != kNoDuration) {
    // When one began that ended before the answer did, nothing shows.
    if (ran.until >= Duration{0}) ran.length = ran.until;
  } else if (!ran.is_inside && asked.duration != kNoDuration && reader != nullptr) {
    const Duration gap = elapsed(asked.end(), reader->start);
    if (gap >= Duration{0}) ran.length = gap;
  }
  return ran;
}

}  // namespace xtrace
