#include "input/transcripts/transcript_branch.h"

#include <algorithm>

namespace xtrace {

namespace {

/// Were each that goes on from an earlier state told to be asked with all that was said by then,
/// what is asked would grow as a square where thousands do.
constexpr size_t kMostAskedAgain = 1000;

}  // namespace

bool is_end_of(const TranscriptBranch& branch, const TranscriptPosition& spot) {
  return spot.last == branch.last && (spot.is_compacted || !branch.tells_compaction);
}

bool owes_answer(const TranscriptBranch& branch) {
  return branch.is_prompted || (branch.is_asked && branch.open.empty() && !branch.is_aborted);
}

void ask_again(const SaidSince& said, uint32_t item, TranscriptBranch& branch) {
  branch.since = item;
  if (item == SaidSince::kNone) return;
  const SaidSince::Item& last = said[item];
  branch.left_out = last.count - std::min<size_t>(last.count, kMostAskedAgain);
  branch.is_asked = last.is_asked;
  branch.is_prompted = last.is_prompted;
  branch.asked_at = last.latest;
}

}  // namespace xtrace
