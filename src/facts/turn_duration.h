#pragma once

#include <string_view>

namespace xtrace {

/// What a client counts of a turn of the user when it ends, in milliseconds, without the time in
/// which it waited for a person to let a tool run: a Measurement of which `service` is the session.
inline constexpr std::string_view kTurnDuration = "turnDurationMs";

}  // namespace xtrace
