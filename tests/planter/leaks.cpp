#include "planter/leaks.h"

#include <fmt/format.h>

#include <algorithm>

namespace xtrace {

namespace {

/// So much of a secret is a leak.
constexpr size_t kPart = 8;

int hex_value(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

/// Escapes of JSON and of JSON in JSON taken back, as far as they represent letters.
std::string without_escapes(std::string_view text) {
  std::string all;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      all += text[i];
      continue;
    }
    while (i + 1 < text.size() && text[i + 1] == '\\') ++i;
    if (i + 5 < text.size() && text[i + 1] == 'u') {
      int code = 0;
      for (size_t k = 2; k < 6; ++k)
        code = code < 0 || hex_value(text[i + k]) < 0 ? -1 : code * 16 + hex_value(text[i + k]);
      if (code >= ' ' && code < 127) {
        all += static_cast<char>(code);
        i += 5;
      }
    }
  }
  return all;
}

}  // namespace

Leaks::Leaks(const std::vector<Planted>& planted) {
  for (const Planted& one : planted)
    for (size_t i = 0; i + kPart <= one.core.size(); ++i)
      parts_.emplace(std::string_view(one.core).substr(i, kPart), &one);
}

void Leaks::search(std::string_view text, bool words_too,
                   std::vector<const Planted*>& found) const {
  for (size_t i = 0; i + kPart <= text.size(); ++i) {
    auto at = parts_.find(text.substr(i, kPart));
    if (at == parts_.end()) continue;
    if (at->second->kind == Planted::Kind::word && !words_too) continue;
    if (std::find(found.begin(), found.end(), at->second) == found.end())
      found.push_back(at->second);
  }
}

std::vector<const Planted*> Leaks::in(std::string_view text, bool words_too) const {
  std::vector<const Planted*> found;
  search(text, words_too, found);
  if (text.find('\\') != std::string_view::npos) search(without_escapes(text), words_too, found);
  return found;
}

bool Leaks::has_word(std::string_view text) const {
  for (const Planted* found : in(text, true))
    if (found->kind == Planted::Kind::word) return true;
  return false;
}

std::string loud_in(std::string_view text, bool is_csv) {
  for (size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const size_t length = byte < 0x80   ? 1
                          : byte < 0xc2 ? 0
                          : byte < 0xe0 ? 2
                          : byte < 0xf0 ? 3
                          : byte < 0xf5 ? 4
                                        : 0;
    if (length == 0 || i + length > text.size()) return fmt::format("broken UTF-8 at {}", i);
    char32_t code = length == 1 ? byte : byte & (0x7fu >> length);
    for (size_t k = 1; k < length; ++k)
      code = code << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3fu);
    const bool is_break =
        code == '\n' || code == '\t' || (is_csv && text.substr(i).starts_with("\r\n"));
    const bool is_control = code < 0x20 || (code >= 0x7f && code < 0xa0);
    const bool turns = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) ||
                       code == 0x200e || code == 0x200f || code == 0x61c;
    if (!is_break && (is_control || turns))
      return fmt::format("U+{:04X} at {}", static_cast<uint32_t>(code), i);
    i += length;
  }
  return {};
}

}  // namespace xtrace
