#pragma once

#include <string>
#include <string_view>

namespace xtrace {

/// With the letters A to Z small. What other letters are alike, no
/// log defines.
inline std::string lower(std::string_view text) {
  std::string small(text);
  for (char& c : small)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  return small;
}

}  // namespace xtrace
