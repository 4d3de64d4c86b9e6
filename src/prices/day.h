#pragma once

#include <string>
#include <string_view>

#include "base/time.h"

namespace xtrace {

/// When a day such as `2026-08-21` begins in UTC; kNoTime: it is no day.
Time first_moment(std::string_view day);
/// The day of a moment in UTC; empty for kNoTime.
std::string iso_day(Time moment);

}  // namespace xtrace
