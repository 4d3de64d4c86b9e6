#include "base/utf8.h"

#include <utf8proc.h>

#include <algorithm>

namespace xtrace {

int64_t code_points(std::string_view text) {
  return std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; });
}

void append_utf8(std::string& out, char32_t character) {
  utf8proc_uint8_t bytes[4];
  utf8proc_ssize_t length = utf8proc_encode_char(static_cast<utf8proc_int32_t>(character), bytes);
  out.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(length));
}

}  // namespace xtrace
