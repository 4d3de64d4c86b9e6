#pragma once

#include <vector>

#include "input/common/raw_trace.h"

namespace xtrace {

/// Decides what of the stated usage counts, and for which call, so that each token counts once:
///
///   * Running totals of calls and turns become what was used since the total before them. A total
///     that is lower than that in any kind starts a new run; one that did not grow states nothing.
///   * A statement of one call belongs to the answer that has its name, else to the one that its
///     place names. Two sorts of records may state the same call: then the better count holds.
///     A statement that fits no answer is a call of its own, unless the answer is on record and
///     only the choice is open: then it counts for the session.
///   * Statements of turns, agents and sessions become Trace::usage_statements. Those that a later
///     running total includes, or that repeat another record, are there too, set aside.
///
/// `copies`: utterances that repeat another one, by index; they only show how far totals had grown.
/// Requires: every utterance has its final session and agent.
/// Ensures: no call's or turn's statement is left but those that end an answer (kind `used`), and
/// these have no counts of their own.
void settle_usage(RawTrace& trace, const std::vector<bool>& copies);

}  // namespace xtrace
