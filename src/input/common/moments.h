#pragma once

#include <optional>

#include "base/time.h"
#include "input/common/json.h"

namespace xtrace {

/// A moment as a string (RFC 3339) or a number (since 1970); nothing if it is neither.
std::optional<Moment> read_moment(json::element value);
/// When that was; kNoTime if it shows no moment.
Time instant_of(json::element value);
/// Milliseconds, a number or one written as text; unknown if negative or longer than a hundred
/// years.
Duration read_milliseconds(json::element value);

}  // namespace xtrace
