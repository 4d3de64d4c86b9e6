#pragma once

#include "facts/remarks.h"
#include "input/span_tags.h"

namespace xtrace {

/// What tags tell of one score; what they do not tell stays.
void read_evaluation(json::element tags, Evaluation& into);
/// What a span's record tells, in any of the formats of spans.
void read_remarks(json::element span, const Extent& at, Remarks& into);

}  // namespace xtrace
