#pragma once

#include <unordered_set>

#include "input/transcripts/said_since.h"
#include "input/transcripts/transcript_calls.h"

namespace xtrace {

/// One of the ways on which a conversation goes on, while its calls are found.
struct TranscriptBranch {
  uint32_t last = TranscriptCall::kNone;   ///< its last call
  uint32_t since = TranscriptCall::kNone;  ///< the last item that was said since
  size_t left_out = 0;                     ///< so much of that was asked before
  size_t attempted = 0, repeated = 0;      ///< of it: what attempts that fail leave out; told again
  size_t settled = 0;                      ///< so many pieces of that call have no open tool use
  std::unordered_set<uint32_t> open{};     ///< the tool uses of that call that gave nothing yet
  bool is_asked = false, is_prompted = false;  ///< something; by a prompt
  bool is_aborted = false;                     ///< by the user
  Time asked_at = kNoTime;
  Time again_at = kNoTime;  ///< what failed was to be asked then
  bool is_compacted = false, is_pruned = false;
  bool tells_compaction = false;  ///< by an utterance that others name as what they follow
  bool is_counted = false;        ///< what the last call used up was told: it is over
};

/// Where an utterance stands: the branch, its last call by then, and whether a summary stands
/// between them.
struct TranscriptPosition {
  uint32_t thread = TranscriptCall::kNone, branch = 0, last = TranscriptCall::kNone;
  bool is_compacted = false;
  uint32_t since =
      TranscriptCall::kNone;  ///< the last item that was said since that call, before it
};

/// Nothing came since but what is not answered yet.
bool is_end_of(const TranscriptBranch& branch, const TranscriptPosition& spot);
/// Was the model asked something? While one of its tools runs it is by a prompt alone, and so it
/// is once the user has aborted.
bool owes_answer(const TranscriptBranch& branch);
/// What was said up to that item is asked again.
void ask_again(const SaidSince& said, uint32_t item, TranscriptBranch& branch);

}  // namespace xtrace
