#pragma once

#include <unordered_set>
#include <vector>

#include "input/transcripts/fill_in.h"

namespace xtrace {

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
