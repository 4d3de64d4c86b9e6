#pragma once

#include "view/calls/call_fields.h"

namespace xtrace {

/// What the sessions that are shown whole say that they used up in all. What no call bears is
/// nowhere else in an answer.
Table session_uses(const CallScene& scene);
std::span<const Column> session_use_columns();
/// The same of all of them in a line; empty: none says anything.
Text session_uses_line(const CallScene& scene);

}  // namespace xtrace
