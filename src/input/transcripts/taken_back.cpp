#include "input/transcripts/taken_back.h"

#include <algorithm>

#include "facts/rows.h"

namespace xtrace {

namespace {

/// Does a turn begin with it? What clients say in the user's place, and tools' outputs, begin none.
bool is_of_user(const RawTrace& trace, uint32_t i) {
  const MessageId message = trace.utterances[i].message;
  return message && trace[message].role == Message::Role::user &&
         rows_of(trace.tool_results, message).empty();
}

}  // namespace

TurnsBefore take_back(int64_t turns, const RawTrace& trace, std::span<const TranscriptCall> calls,
                      uint32_t last, const std::vector<uint32_t>& pending) {
  TurnsBefore before{last, pending};
  TurnsBefore earliest = before;
  bool has_turn = false;
  for (;;) {
    for (size_t i = before.asked.size(); i-- > 0;) {
      if (!is_of_user(trace, before.asked[i])) continue;
      has_turn = true;
      earliest = before;
      earliest.asked.resize(i);
      if (--turns <= 0) return earliest;
    }
    if (before.last == TranscriptCall::kNone)
      return has_turn ? earliest : TurnsBefore{before.last, {}};
    const TranscriptCall& call = calls[before.last];
    before = {call.previous, call.asked, call.is_compacted, call.is_pruned};
  }
}

}  // namespace xtrace
