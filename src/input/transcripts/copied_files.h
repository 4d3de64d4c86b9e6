#pragma once

#include "input/common/raw_trace.h"

namespace xtrace {

/// Logs are kept twice, as where an archive holds what is still in use: a file that says what
/// another one of its thread says from the first on, at the same times, counts no more. Of equal
/// ones the first stays. Only of lines that have no ids: others are known again by these.
void drop_copied_files(RawTrace& trace);

}  // namespace xtrace
