#pragma once

#include <cstddef>
#include <string_view>

#include "base/digits.h"

/// What rules ask of single bytes, whatever the encoding of the text.
namespace xtrace::bytes {

// Outside the text there is '\0': `p - 1` at the start wraps around and is outside as well.
inline char at(std::string_view t, size_t p) {
  return p < t.size() ? t[p] : '\0';
}
inline bool upper(char c) {
  return c >= 'A' && c <= 'Z';
}
inline bool letter(char c) {
  return upper(c) || (c >= 'a' && c <= 'z');
}
inline bool alnum(char c) {
  return is_digit(c) || letter(c);
}
inline bool hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
/// Is the byte one of these? Outside of a text none is.
inline bool is_in(std::string_view set, char c) {
  return c != '\0' && set.find(c) != std::string_view::npos;
}
inline bool has(std::string_view t, std::string_view word) {
  return t.find(word) != std::string_view::npos;
}

}  // namespace xtrace::bytes
