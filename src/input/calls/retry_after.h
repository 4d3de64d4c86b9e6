#pragma once

#include "base/time.h"
#include "input/common/json.h"

namespace xtrace {

/// How long the headers of an answer ask to wait before the next attempt: `retry-after-ms`, else
/// `retry-after` (RFC 9110, 10.2.3), else the longest of the limits that are used up
/// (`anthropic-ratelimit-…-reset`, `x-ratelimit-reset-…` where `…remaining…` is 0). Moments are
/// measured from the answer's own `date`, else from `answered`, never from today. Unknown: they ask
/// for nothing, or it cannot be read.
Duration asked_to_wait(json::element headers, Time answered);

}  // namespace xtrace
