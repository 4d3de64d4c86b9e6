#pragma once

#include <cstddef>
#include <string_view>

namespace xtrace {

/// What ids begin with that no log has: a result that names no tool use, recorded after the only
/// one that it may belong to, gets one, and the tool use the same.
inline constexpr std::string_view kByOrder = "by-order-";

/// Likewise of calls that their transcript gives no id.
inline constexpr std::string_view kMadeCall = "call-";

/// Can nobody else have given something the same id by chance or by counting? Words do not make one
/// so, however long: `functions.search:0`, `call_12`, `fetch-1a2b3c4d`.
constexpr bool is_one_of_its_kind(std::string_view id) {
  constexpr size_t kEnough = 12;  // random letters and digits, in parts that are no words
  size_t random = 0, part = 0;
  bool has_digit = false;
  const auto end_part = [&] {
    if (has_digit) random += part;
    part = 0;
    has_digit = false;
  };
  for (const char c : id) {
    const bool is_digit = c >= '0' && c <= '9';
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!is_digit && !is_letter) {
      end_part();
      continue;
    }
    ++part;
    has_digit |= is_digit;
  }
  end_part();
  return random >= kEnough;
}

}  // namespace xtrace
