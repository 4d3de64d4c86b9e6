#pragma once

#include <vector>

#include "input/transcripts/threads.h"

namespace xtrace {

/// A call of a transcript: which utterances tell of it.
struct TranscriptCall {
  static constexpr uint32_t kNone = Threads::kNone;
  uint32_t thread = 0;
  uint32_t first = kNone;                 ///< the utterance that names it; asked: nobody answered
  uint32_t previous = kNone;              ///< index of the one it goes on from
  std::vector<uint32_t> asked, answered;  ///< utterances
  std::vector<uint32_t> unread;   ///< what its tools gave back, if nobody was asked with that
  std::vector<StringId> aborted;  ///< tool uses that the user stopped
  StringId model;                 ///< where its utterances do not tell it
  Time asked_at = kNoTime, until = kNoTime;
  bool failed = false;
  bool is_pruned = false;     ///< some tool outputs of before are left out
  bool is_compacted = false;  ///< a summary represents what was said before
  bool sums_up = false;       ///< its answer is such a summary
  bool asks_for_tools = false;
};

/// The calls of all threads, each behind the one it goes on from. A thread branches where something
/// is said again to an earlier state of the conversation; what an utterance follows shows where it
/// belongs, and where that cannot be told, it goes on with what precedes it in the file.
std::vector<TranscriptCall> find_transcript_calls(const RawTrace& trace, const Threads& threads);

}  // namespace xtrace
