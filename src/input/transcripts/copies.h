#pragma once

#include <unordered_map>
#include <vector>

#include "input/common/raw_trace.h"

namespace xtrace {

/// The utterance with which a fork begins, behind what it took over → the one that it goes on from.
using ForkedFrom = std::unordered_map<uint32_t, uint32_t>;

/// Drops what whole files and beginnings of files repeat of others; each rule sees what those
/// before it left:
///
///   1. A file of a thread that says what another one begins with, at the same times or with the
///      same running totals, is a copy of that; and so is one next to which the same conversation
///      is in full, under another name.
///   2. A fork whose heading names the thread that it goes on from begins with a copy of what that
///      one had said by then, some of it left out, dated as that one or anew: it counts there.
///      Where nothing of it is on record, only what the fork itself did counts, and a complaint
///      mentions the copy.
///   3. A fork that names none begins with what another session had said by then, at the same
///   times.
///
/// What a log shows twice is dropped later, in this order: kept before shown (join_shown), kept
/// before printed (drop_printed), and by ids and vendors' names of answers find_originals().
ForkedFrom drop_copies(RawTrace& trace);
/// The second and third rule of drop_copies(): drops what forks took over, and adds to
/// `forked_from` where they go on.
void drop_forks(RawTrace& trace, ForkedFrom& forked_from);

/// Which utterances count and which are copies of those.
struct Originals {
  std::vector<bool> copies;
  std::vector<uint32_t> by_id;  ///< the one that has this id, or that its copy has
};

/// Of utterances with one id in several files, or of equal ones in one: a copy behind the original;
/// then the session that ended first, since one that takes over a history goes on longer; then a
/// subagent's last, which may begin with all that was said to the main agent by then; then the one
/// that tells what it follows. Where copies have ids of their own, answers of the same name, time
/// and words show that a file holds what another one does; where they are dated anew too, answers
/// of the same name and words in two sessions do. Of their counts the original has the better one.
Originals find_originals(RawTrace& trace);

}  // namespace xtrace
