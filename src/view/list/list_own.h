#pragma once

#include "view/calls/call_fields.h"

namespace xtrace {

/// All sessions of one's own, newest first, a line each, by the numbers that commands take.
Outline own_sessions(const CallScene& scene);

}  // namespace xtrace
