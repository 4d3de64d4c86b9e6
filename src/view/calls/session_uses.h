#pragma once

#include "view/calls/call_fields.h"

namespace xtrace {

/// The totals that the records of sessions state, of sessions that are shown whole.
Table session_uses(const CallScene& scene);
std::span<const Column> session_use_columns();
/// The same of all of them in a line; empty: no record states any.
Text session_uses_line(const CallScene& scene);

}  // namespace xtrace
