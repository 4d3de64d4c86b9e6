#include "render/mermaid_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/text.h"

namespace xtrace {

namespace {

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

bool is_word(char letter) {
  return is_digit(letter) || (letter >= 'A' && letter <= 'Z') || (letter >= 'a' && letter <= 'z');
}

/// Does the character at `at` mean nothing to Mermaid, nor to the Markdown and HTML it makes of a
/// label?
bool is_harmless(std::string_view line, size_t at) {
  char before = at > 0 ? line[at - 1] : ' ', after = at + 1 < line.size() ? line[at + 1] : ' ';
  bool numbered = std::all_of(line.begin(), line.begin() + static_cast<ptrdiff_t>(at), is_digit);
  switch (line[at]) {
    case ' ': return at > 0;     // an indent makes code
    case ')': return !numbered;  // `1)` makes a list, as `1.` does
    case '.': return !numbered && before != 'w' && before != 'W';  // `www.` makes a link
    case ':': return at + 1 < line.size() && after == ' ';         // as do `https:` and `fa:`
    case '+':
    case '-':
    case '=':
    case '_': return is_word(before) && is_word(after);  // lists, rules, headings, emphasis
    case '!':
    case '(':
    case ',':
    case '/':
    case '?':
    case '\'': return true;
    default: return is_word(line[at]) || static_cast<unsigned char>(line[at]) >= 0x80;
  }
}

}  // namespace

std::string mermaid_text(std::string_view line) {
  std::string label;
  for (size_t at = 0; at < line.size();) {
    auto [character, length] = decode(line.substr(at));
    if (character == U'ﬂ')
      label += "fl";  // Mermaid itself writes entities as `ﬂ°…¶ß` until the picture is done
    else if (is_harmless(line, at))
      label += line.substr(at, length);
    else if (character == U'"')
      label += "#quot;";
    else if (character == U'<')
      label += "#lt;";
    else if (character == U'>')
      label += "#gt;";
    else if (character == U'&')
      label += "#amp;";
    else
      fmt::format_to(std::back_inserter(label), "#{};", static_cast<uint32_t>(character));
    at += length;
  }
  return label.empty() ? "#160;" : label;
}

}  // namespace xtrace
