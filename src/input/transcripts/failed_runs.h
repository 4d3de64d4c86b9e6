#pragma once

#include <string_view>

#include "input/common/raw_trace.h"

namespace xtrace {

/// What a run of `claude -p` ends with where its last request failed.
inline constexpr std::string_view kRequestFailed = "api_error";

/// A run that went wrong may tell so at its end, behind answers that it got: then its last call is
/// the one that failed, and the end is no call of its own. Where something was asked since and
/// nobody answered, a failure that is a call's stays one.
void settle_failed_runs(RawTrace& trace);

}  // namespace xtrace
