#include "input/transcripts/ends_of_tools.h"

#include <algorithm>
#include <map>
#include <utility>

#include "facts/rows.h"
#include "facts/tool_error.h"

namespace xtrace {

using Kind = Utterance::Kind;

namespace {

Time earlier(Time a, Time b) {
  return a == kNoTime ? b : std::min(a, b);
}

}  // namespace

void read_ends_of_tools(RawTrace& trace) {
  struct End {
    const Utterance* failed = nullptr;
    Duration took = kNoDuration;
    Time began = kNoTime;  ///< by a record of its being at work
  };
  std::map<std::pair<uint32_t, StringId>, End> ends;  // by file and tool use
  for (const Utterance& said : trace.utterances) {
    if (said.kind != Kind::silent || !said.item) continue;
    const bool failed = said.outcome == Outcome::error;
    if (!failed && said.took == kNoDuration) continue;
    End& end = ends[{said.source.file, said.item}];
    if (failed && end.failed == nullptr) end.failed = &said;
    if (said.is_aside && said.time != kNoTime)
      end.began = earlier(end.began, after(said.time, -said.took));
    else if (end.took == kNoDuration)
      end.took = said.took;
  }
  if (ends.empty()) return;
  for (const Utterance& said : trace.utterances) {
    if (said.kind != Kind::asked || !said.message) continue;
    for (ToolResult& result : rows_to_change(trace.tool_results, said.message)) {
      const auto found = ends.find({said.source.file, result.tool_use});
      if (found == ends.end()) continue;
      const End& end = found->second;
      // One that was left to run on in the background gave its result before its end.
      if (result.took == kNoDuration) result.took = end.took;
      if (const Duration worked = elapsed(end.began, said.time);
          result.took == kNoDuration && worked > Duration{0})
        result.took = worked;
      if (result.is_error || end.failed == nullptr) continue;
      if (end.failed->is_awaited && end.failed->source.offset > said.source.offset) continue;
      result.is_error = true;
      result.error = tool_error_named(trace[end.failed->error]);
    }
  }
}

}  // namespace xtrace
