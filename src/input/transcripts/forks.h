#pragma once

#include "input/transcripts/copies.h"

namespace xtrace {

/// The second and third rule of drop_copies(): drops what forks took over, and adds to
/// `forked_from` where they go on.
void drop_forks(RawTrace& trace, ForkedFrom& forked_from);

}  // namespace xtrace
