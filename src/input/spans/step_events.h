#pragma once

#include "input/common/json.h"

namespace xtrace {

/// Does the record tell a step of a query by itself (step_events.cpp)? Spans may, and are none
/// then.
bool fits_step_event(json::element record);

}  // namespace xtrace
