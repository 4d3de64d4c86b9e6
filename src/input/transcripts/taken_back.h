#pragma once

#include <span>
#include <vector>

#include "input/transcripts/said_since.h"
#include "input/transcripts/transcript_calls.h"

namespace xtrace {

/// Where a conversation stood before some of its turns, which were taken back.
struct TurnsBefore {
  uint32_t last = TranscriptCall::kNone;  ///< its last call then, in the list of all
  uint32_t since = SaidSince::kNone;      ///< the last item that was said since that one
  bool is_compacted = false, is_pruned = false;
};

/// A conversation, of which turns are taken back.
struct Turns {
  const RawTrace& trace;
  const SaidSince& said;
  std::span<const TranscriptCall> calls;
  std::span<const uint32_t> asked;  ///< by call: the last item of what was said before it
};

/// `last`: the call that the conversation ends with; `since`: what was said since. Where it has
/// fewer turns, all are taken back.
TurnsBefore take_back(int64_t number, const Turns& of, uint32_t last, uint32_t since);

}  // namespace xtrace
