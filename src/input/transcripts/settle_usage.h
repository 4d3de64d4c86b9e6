#pragma once

#include <unordered_set>
#include <vector>

#include "input/transcripts/fill_in.h"

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

inline bool is_statement(const Utterance& said) {
  return said.usage.form != UsageTerms::Form::none;
}
/// Does it state usage that is not settled yet?
inline bool is_used(const Utterance& said) {
  return said.kind == Utterance::Kind::used;
}
/// Does the statement look for the answer that it is about?
inline bool is_about_answer(const Utterance& said) {
  return said.usage.scope == UsageTerms::Scope::call || said.usage.place != UsageTerms::Place::none;
}

/// It counts elsewhere, or nowhere, and is no part of a conversation.
inline void silence(Utterance& said) {
  said.kind = Utterance::Kind::silent;
}

/// The part of settle_usage() that turns running totals of calls and turns into counts of what came
/// since the one before. Returns the counts whose total has an unknown beginning.
std::unordered_set<uint32_t> take_apart_running_counts(RawTrace& trace);

/// A statement that may be of several answers, or of none.
struct OpenStatement {
  uint32_t statement = kNoUtterance;
  uint32_t since = kNoUtterance;  ///< the statement before it
};

/// The part of settle_usage() that makes Trace::usage_statements of what turns, agents and sessions
/// used up, and of `open`.
void sum_up_usage(RawTrace& trace, const std::vector<bool>& copies,
                  const std::vector<OpenStatement>& open);

}  // namespace xtrace
