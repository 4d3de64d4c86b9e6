#pragma once

#include <string_view>

namespace xtrace {

/// How the marker that replaces a hidden value begins: `[REDACTED:rule:number]`.
inline constexpr std::string_view kHiddenMarker = "[REDACTED:";

}  // namespace xtrace
