#pragma once

#include <span>
#include <vector>

#include "input/transcripts/transcript_calls.h"

namespace xtrace {

/// Where a conversation stood before some of its turns, which were taken back.
struct TurnsBefore {
  uint32_t last = TranscriptCall::kNone;  ///< its last call then, in the list of all
  std::vector<uint32_t> asked;            ///< utterances since that one
  bool is_compacted = false, is_pruned = false;
};

/// `last`: the call that the conversation ends with; `pending`: what was said since. Where it has
/// fewer turns, all are taken back.
TurnsBefore take_back(int64_t turns, const RawTrace& trace, std::span<const TranscriptCall> calls,
                      uint32_t last, const std::vector<uint32_t>& pending);

}  // namespace xtrace
