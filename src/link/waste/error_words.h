#pragma once

#include <string>
#include <string_view>

namespace xtrace {

/// A text without the times in it, as `0.12s` and `12:30:01`: they are others each time.
std::string without_times(std::string_view text);

}  // namespace xtrace
