#pragma once

#include <cstdint>

#include "base/time.h"

namespace xtrace {

/// The time of the machine's clock; `SOURCE_DATE_EPOCH`, in seconds, takes its place so that an
/// answer can be made again (https://reproducible-builds.org/specs/source-date-epoch/, 2026-11-28).
Time now();

/// How often now() was called so far: what was made meanwhile may depend on it.
uint64_t times_now_was_asked();

}  // namespace xtrace
