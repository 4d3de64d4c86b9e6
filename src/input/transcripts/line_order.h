#pragma once

#include "input/common/raw_trace.h"

namespace xtrace {

/// A transcript is written line by line, so its order is that of the conversation. Where a line
/// stands before the one that it says it follows, something else has rearranged the file: there the
/// utterances are put in order by what they follow, and else by their times. Other files stay as
/// they are: clocks go back more often than files are rearranged.
void order_lines(RawTrace& trace);

}  // namespace xtrace
