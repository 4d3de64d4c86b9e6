#pragma once

#include <string_view>

namespace xtrace {

/// What ids begin with that no log has: a result that names no tool use, told behind the only one
/// that it may be of, is given one, and the tool use the same.
inline constexpr std::string_view kByOrder = "by-order-";

/// Likewise of calls that their transcript gives no id.
inline constexpr std::string_view kMadeCall = "call-";

}  // namespace xtrace
