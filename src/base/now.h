#pragma once

#include "base/time.h"

namespace xtrace {

/// The time of the machine's clock; `SOURCE_DATE_EPOCH`, in seconds, takes its place so that an
/// answer can be made again (https://reproducible-builds.org/specs/source-date-epoch/, 2026-11-28).
Time now();

}  // namespace xtrace
