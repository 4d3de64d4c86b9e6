#pragma once

#include <vector>

#include "input/transcripts/fill_in.h"

namespace xtrace {

inline constexpr uint32_t kNoUtterance = UINT32_MAX;

/// Does it state usage that is not settled yet?
inline bool is_used(const Utterance& said) {
  return said.kind == Utterance::Kind::used;
}
/// Does the statement look for the answer that it is about?
inline bool is_about_answer(const Utterance& said) {
  return said.usage.scope == UsageTerms::Scope::call || said.usage.place != UsageTerms::Place::none;
}

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
