#pragma once

#include "input/common/raw_trace.h"
#include "input/transcripts/copies.h"

namespace xtrace {

/// Tells each utterance what it does not tell itself: whose words it has, in which session, by
/// which model, as the name of its file, the headings before it and other sessions say. Of texts
/// that a file tells twice one is left. What it returns tells where forks go on.
ForkedFrom fill_in(RawTrace& trace);

/// Is it part of what is said, told again where a history is taken over?
inline bool is_item(const Utterance& said) {
  switch (said.kind) {
    case Utterance::Kind::asked:
    case Utterance::Kind::answered:
    case Utterance::Kind::failed:
    case Utterance::Kind::compacted:
    case Utterance::Kind::rewound: return true;
    case Utterance::Kind::used: return said.usage.scope <= UsageTerms::Scope::turn;
    default: return false;
  }
}

}  // namespace xtrace
