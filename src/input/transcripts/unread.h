#pragma once

#include <span>

#include "input/transcripts/said_since.h"
#include "input/transcripts/transcript_branch.h"

namespace xtrace {

/// The ways that a conversation took, and what was said on each since its last answer.
struct WaysTaken {
  const RawTrace& trace;
  const SaidSince& said_since;
  std::span<const TranscriptBranch> branches;
  uint32_t open;  ///< the branch where it ends with no call that waits for an answer, if any
};

/// Tools gave something back, and there the conversation ends or was taken back: what was done was
/// done. Notes it with the last call of that branch. `first`: the first call of the conversation.
void find_unread(const WaysTaken& ways, std::vector<TranscriptCall>& calls, size_t first);

}  // namespace xtrace
