#pragma once

#include <string_view>

#include "facts/step.h"
#include "input/common/json.h"

namespace xtrace {

/// What the log record or the metric there tells of a span.
void read_otlp_detail(json::element record, std::string_view span, StepDetail& detail);

}  // namespace xtrace
