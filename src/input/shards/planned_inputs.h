#pragma once

#include "base/result.h"
#include "input/bytes/inputs.h"

namespace xtrace {

/// Puts the files of plans in the place of the plans that were found, with the lines to read of
/// each: of several plans, and of a file that was named beside them, all that any of them says.
/// Exit::input: a plan is damaged, or a file is gone or another one than it was.
Status read_plans(Found& found, unsigned jobs);

}  // namespace xtrace
