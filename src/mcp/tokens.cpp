#include "mcp/tokens.h"

namespace xtrace::mcp {

namespace {

enum class Sign { letter, digit, blank, other, continued };

Sign sign_of(char c) {
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return Sign::letter;
  if (c >= '0' && c <= '9') return Sign::digit;
  if (c == ' ') return Sign::blank;
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80 ? Sign::continued : Sign::other;
}

size_t tokens_of(Sign sign, size_t length) {
  switch (sign) {
    case Sign::letter: return (length + 3) / 4;
    case Sign::digit: return (length + 2) / 3;
    case Sign::blank: return length > 1 ? 1 : 0;  // a single one belongs to the next word
    case Sign::other: return length;
    case Sign::continued: return 0;
  }
  return 0;
}

}  // namespace

size_t estimate_tokens(std::string_view text) {
  size_t tokens = 0;
  for (size_t at = 0, end = 0; at < text.size(); at = end) {
    const Sign sign = sign_of(text[at]);
    for (end = at + 1; end < text.size() && sign_of(text[end]) == sign;) ++end;
    tokens += tokens_of(sign, end - at);
  }
  return (tokens * 11 + 9) / 10;
}

}  // namespace xtrace::mcp
