#include "render/json_text.h"

#include <fmt/format.h>

#include <iterator>

#include "base/text.h"

namespace xtrace {

namespace {

void append_unit(std::string& out, uint32_t unit) {
  fmt::format_to(std::back_inserter(out), "\\u{:04x}", unit);
}

bool is_plain(char c) {
  return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

}  // namespace

void append_escaped(std::string& out, char32_t character) {
  switch (character) {
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: break;
  }
  if (character < 0x10000) return append_unit(out, character);
  append_unit(out, 0xd800 + ((character - 0x10000) >> 10));
  append_unit(out, 0xdc00 + ((character - 0x10000) & 0x3ff));
}

void append_json(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    size_t plain = 0;
    while (plain < text.size() && is_plain(text[plain])) ++plain;
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    auto [character, length] = decode(text);
    if (character == '"')
      out += "\\\"";
    else if (character == '\\')
      out += "\\\\";
    else if (acts_on_terminal(character))
      append_escaped(out, character);
    else if (character == U'\uFFFD')
      out += "\uFFFD";
    else
      out += text.substr(0, length);
    text.remove_prefix(length);
  }
  out += '"';
}

}  // namespace xtrace
