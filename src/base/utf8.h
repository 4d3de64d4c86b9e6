#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace xtrace {

/// Code points of `text`, which is UTF-8; of broken text, bytes that could begin one.
int64_t code_points(std::string_view text);

/// Appends a code point up to U+10FFFF. Half of a surrogate pair is written as it is, in three
/// bytes: what escapes say is looked at, not mended.
void append_utf8(std::string& out, char32_t character);

}  // namespace xtrace
