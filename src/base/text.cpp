#include "base/text.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <iterator>

#include "base/hash.h"
#include "base/hex.h"

namespace xtrace {

Decoded decode(std::string_view text) {
  utf8proc_int32_t character = 0;
  utf8proc_ssize_t length =
      utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                       static_cast<utf8proc_ssize_t>(text.size()), &character);
  if (length <= 0) return {U'\uFFFD', 1};
  return {static_cast<char32_t>(character), static_cast<size_t>(length)};
}

size_t characters(std::string_view text) {
  size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(decode(text).length);
  return count;
}

bool acts_on_terminal(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) ||        // C0, DEL, C1
         c == 0x061c || c == 0x200e || c == 0x200f ||  // direction marks
         (c >= 0x2028 && c <= 0x202e) ||               // line ends, embeddings, overrides
         (c >= 0x2066 && c <= 0x2069) ||               // isolates
         c == 0xfeff || c == 0xfffe || c == 0xffff ||  // byte order marks, not characters
         (c >= 0xe0000 && c <= 0xe007f);               // tags
}

namespace {

size_t columns_of(char32_t character) {
  int columns = utf8proc_charwidth(static_cast<utf8proc_int32_t>(character));
  return columns > 0 ? static_cast<size_t>(columns) : 0;
}

}  // namespace

size_t width(std::string_view text) {
  size_t columns = 0;
  while (!text.empty()) {
    Decoded next = decode(text);
    columns += columns_of(next.character);
    text.remove_prefix(next.length);
  }
  return columns;
}

std::string clip(std::string_view text, size_t columns) {
  // A character has at most four bytes, so most texts need no closer look.
  if (text.size() <= columns || width(text) <= columns) return std::string(text);
  if (columns == 0) return {};
  size_t bytes = 0, used = 0;
  while (bytes < text.size()) {
    Decoded next = decode(text.substr(bytes));
    size_t more = columns_of(next.character);
    if (used + more + 1 > columns) break;
    used += more;
    bytes += next.length;
  }
  std::string_view kept = text.substr(0, bytes);
  constexpr std::string_view kCut = "…";
  while (kept.ends_with(kCut)) kept.remove_suffix(kCut.size());
  return std::string(kept) + "…";
}

std::string clip_left(std::string_view text, size_t columns) {
  if (text.size() <= columns || width(text) <= columns) return std::string(text);
  if (columns == 0) return {};
  size_t left = width(text);
  while (left + 1 > columns) {
    Decoded next = decode(text);
    left -= columns_of(next.character);
    text.remove_prefix(next.length);
  }
  return "…" + std::string(text);
}

std::string printable(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    auto [character, length] = decode(text);
    if (character == U'\uFFFD')
      shown += "\uFFFD";
    else if (!acts_on_terminal(character))
      shown += text.substr(0, length);
    else if (character < 0x100)
      fmt::format_to(std::back_inserter(shown), "\\x{:02x}", static_cast<uint32_t>(character));
    else
      fmt::format_to(std::back_inserter(shown), "\\u{:04x}", static_cast<uint32_t>(character));
    text.remove_prefix(length);
  }
  return shown;
}

std::string fold_white_space(std::string_view text) {
  std::string folded;
  folded.reserve(text.size());
  constexpr std::string_view kBlank = " \t\n\r\v\f";
  for (size_t at = text.find_first_not_of(kBlank); at < text.size();) {
    size_t end = std::min(text.find_first_of(kBlank, at), text.size());
    if (!folded.empty()) folded += ' ';
    folded += text.substr(at, end - at);
    at = text.find_first_not_of(kBlank, end);
  }
  return folded;
}

std::string wrapped(std::string_view text, size_t indent, size_t columns) {
  std::string lines, line;
  while (!text.empty()) {
    std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (!line.empty() && indent + width(line) + 1 + width(word) > columns) {
      line.erase(line.find_last_not_of(' ') + 1);  // where several blanks were
      lines += line + "\n" + std::string(indent, ' ');
      line.clear();
    }
    if (!line.empty()) line += ' ';
    line += word;
  }
  return lines + line;
}

std::string_view head(std::string_view text, size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xc0) == 0x80) --bytes;
  return text.substr(0, bytes);
}

std::string shortened_name(std::string_view name) {
  constexpr size_t kKept = 128, kOfWord = 8;
  const std::string_view begin = head(name, kKept);
  const size_t last = begin.find_last_of(" /\\:;,?&=|()[]{}<>\"'\t\r\n");
  const bool is_word = last == begin.npos;
  return fmt::format("{}…[{} bytes, {}]", is_word ? head(name, kOfWord) : begin.substr(0, last + 1),
                     name.size(), hex(hash_of(name)));
}

}  // namespace xtrace
