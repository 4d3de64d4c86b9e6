#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace xtrace {

/// Of ASCII alone, whatever the locale.
constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
/// Is it a whole number without a sign?
constexpr bool are_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}
constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

/// What a hex digit is worth; -1: it is none.
constexpr int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

inline constexpr std::string_view kBase64Digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// What each byte is worth in base64 and in base64url; -1: nothing.
inline constexpr std::array<int8_t, 256> kBase64 = [] {
  std::array<int8_t, 256> value{};
  value.fill(-1);
  for (size_t i = 0; i < kBase64Digits.size(); ++i)
    value[static_cast<uint8_t>(kBase64Digits[i])] = static_cast<int8_t>(i);
  value['-'] = 62, value['_'] = 63;
  return value;
}();
constexpr int base64_digit(char c) {
  return kBase64[static_cast<uint8_t>(c)];
}

}  // namespace xtrace
