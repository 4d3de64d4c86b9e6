#pragma once

#include "facts/appraisal.h"
#include "input/spans/span_tags.h"

namespace xtrace {

/// What tags tell of one score; what they do not tell stays.
void read_evaluation(json::element tags, Evaluation& into);
/// What a span's record tells, in any of the formats of spans.
void read_appraisal(json::element span, const Extent& at, Appraisal& into);

}  // namespace xtrace
