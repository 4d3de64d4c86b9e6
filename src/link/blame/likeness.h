#pragma once

#include <string_view>

namespace xtrace {

/// Do two commands, or the arguments of two tools, ask for nearly the same? One contains the other,
/// or most pairs of adjacent characters are in both (Dice's coefficient). An empty text is like
/// none.
bool are_alike(std::string_view a, std::string_view b);

}  // namespace xtrace
