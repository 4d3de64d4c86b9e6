#pragma once

#include <string_view>

#include "facts/appraisal.h"
#include "facts/step.h"
#include "input/common/json.h"
#include "input/spans/span_tags.h"

namespace xtrace {

/// What tags tell of one score; what they do not tell stays.
void read_evaluation(json::element tags, Evaluation& into);
/// What a span's record tells, in any of the formats of spans.
void read_appraisal(json::element span, const Extent& at, Appraisal& into);

/// What the log record or the metric there tells of a span.
void read_otlp_detail(json::element record, std::string_view span, StepDetail& detail);

}  // namespace xtrace
