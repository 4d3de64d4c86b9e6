#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace xtrace {

/// Each of `names` short enough for a label: of paths and addresses the end, which tells most. Two
/// that differ stay different where the room allows.
std::vector<std::string> short_names(std::span<const std::string_view> names);

}  // namespace xtrace
