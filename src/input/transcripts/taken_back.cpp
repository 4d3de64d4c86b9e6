#include "input/transcripts/taken_back.h"

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

TurnsBefore take_back(int64_t number, const Turns& of, uint32_t last, uint32_t since) {
  TurnsBefore before{last, since};
  TurnsBefore earliest;
  for (;;) {
    for (uint32_t at = before.since; at != SaidSince::kNone; at = of.said[at].before) {
      if (!is_of_user(of.trace, of.said[at].utterance)) continue;
      earliest = before;
      earliest.since = of.said[at].before;
      if (--number <= 0) return earliest;
    }
    if (before.last == TranscriptCall::kNone) return earliest;
    const TranscriptCall& call = of.calls[before.last];
    before = {call.previous, of.asked[before.last], call.is_compacted, call.is_pruned};
  }
}

}  // namespace xtrace
