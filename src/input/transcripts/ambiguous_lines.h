#pragma once

#include "input/common/raw_trace.h"

namespace xtrace {

/// Lines that any log may contain count as records only in a file that has unambiguous ones. In
/// other files they are removed and reported as of unknown shape.
void drop_ambiguous_lines(RawTrace& trace);

/// Several programs begin a file with the same heading: the next utterance determines its format.
void settle_formats(RawTrace& trace);

}  // namespace xtrace
