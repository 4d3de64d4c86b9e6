#pragma once

#include <string_view>

namespace xtrace {

/// How what stands in place of a hidden value begins: `[REDACTED:rule:number]`.
inline constexpr std::string_view kHiddenMarker = "[REDACTED:";

}  // namespace xtrace
