#pragma once

#include "input/transcripts/forks.h"

namespace xtrace {

/// A fork may take over what was said without a word of whose that is: it is told by what it says
/// from before it was made, a heading's time. Whatever another session said at the same instant, to
/// the same effect, counts once, there; what nobody else has on record stays. Every utterance has
/// to know its session and agent, as its own file tells them.
void drop_taken_over(RawTrace& trace, ForkedFrom& forked_from);

}  // namespace xtrace
