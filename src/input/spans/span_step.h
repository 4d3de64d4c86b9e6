#pragma once

#include "facts/step.h"
#include "input/common/json.h"

namespace xtrace {

/// What a span in any of the formats of spans says of it as a step of a query. Leaves `step` as it
/// is if it is none: a log record that tells of an event stands where a span would.
void read_span_step(json::element span, StepRecord& step);

}  // namespace xtrace
