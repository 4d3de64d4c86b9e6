#pragma once

#include <string_view>

namespace xtrace {

/// Why an answer ended, as Anthropic calls it: the model, or what guards it, would not answer. What
/// is asked again then is another attempt at the same.
inline constexpr std::string_view kRefusal = "refusal";

}  // namespace xtrace
