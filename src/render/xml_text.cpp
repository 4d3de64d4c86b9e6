#include "render/xml_text.h"

#include "base/text.h"

namespace xtrace {

namespace {

bool is_plain(char c) {
  return c >= 0x20 && c < 0x7f && c != '&' && c != '<' && c != '>' && c != '"';
}

/// By numbers, which readers do not turn into blanks.
std::string_view reference_of(char32_t character) {
  switch (character) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";  // `]]>` must not be in a text
    case '"': return "&quot;";
    case '\t': return "&#9;";
    case '\n': return "&#10;";
    case '\r': return "&#13;";
    default: return {};
  }
}

bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xfffe || c == 0xffff;
}

}  // namespace

void append_xml(std::string& out, std::string_view text) {
  while (!text.empty()) {
    size_t plain = 0;
    while (plain < text.size() && is_plain(text[plain])) ++plain;
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) return;
    auto [character, length] = decode(text);
    if (std::string_view reference = reference_of(character); !reference.empty())
      out += reference;
    else if (is_control(character) || character == U'\uFFFD')
      out += "\uFFFD";
    else
      out += acts_on_terminal(character) ? printable(text.substr(0, length))
                                         : std::string(text.substr(0, length));
    text.remove_prefix(length);
  }
}

}  // namespace xtrace
