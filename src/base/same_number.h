#pragma once

#include <string_view>

namespace xtrace {

/// Are both texts decimal numbers, and of one value: `3`, `3.0`, `0.3e1`? By their digits, so that
/// a number that fits no type is right too.
bool same_number(std::string_view one, std::string_view other);

}  // namespace xtrace
