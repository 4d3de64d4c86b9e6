#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/base64.h"
#include "base/digits.h"
#include "base/text.h"
#include "base/utf8.h"
#include "link/reuse/token.h"

namespace xtrace {

namespace {

/// Who hides a text in a text in a text is found no further: each layer costs as much as the first.
constexpr int kDeepest = 4;
/// Shorter runs of digits and letters encode nothing that would be looked for.
constexpr size_t kShortestEncoded = 8;

/// An escape of a JSON string; no length: none is there.
struct JsonEscape {
  char32_t character = 0;
  size_t length = 0;
};
JsonEscape json_escape(std::string_view text, size_t at) {
  constexpr std::string_view kSigns = "\"\\/bfnrt", kMeant = "\"\\/\b\f\n\r\t";
  if (at + 1 >= text.size()) return {};
  if (const size_t sign = kSigns.find(text[at + 1]); sign != kSigns.npos)
    return {static_cast<unsigned char>(kMeant[sign]), 2};
  if (text[at + 1] != 'u' || at + 5 >= text.size()) return {};
  char32_t character = 0;
  for (const char c : text.substr(at + 2, 4)) {
    if (hex_digit(c) < 0) return {};
    character = character * 16 + static_cast<char32_t>(hex_digit(c));
  }
  return {character, 6};
}

size_t find_escape(std::string_view text, size_t at) {
  at = text.find('\\', at);
  while (at != text.npos && json_escape(text, at).length == 0) at = text.find('\\', at + 1);
  return at;
}

/// A text without the escapes of a JSON string; nothing: it has none.
std::optional<std::string> unescape(std::string_view text) {
  size_t at = find_escape(text, 0);
  if (at == text.npos) return std::nullopt;
  std::string plain;
  plain.reserve(text.size());
  size_t begin = 0;  // of what is not yet copied
  while (at != text.npos) {
    const JsonEscape escape = json_escape(text, at);
    if (escape.length > 0) {
      plain += text.substr(begin, at - begin);
      append_utf8(plain, escape.character);
      begin = at + escape.length;
    }
    at = text.find('\\', at + std::max<size_t>(escape.length, 1));
  }
  plain += text.substr(begin);
  return plain;
}

bool is_percent_coded(std::string_view text, size_t at) {
  return at + 2 < text.size() && hex_digit(text[at + 1]) >= 0 && hex_digit(text[at + 2]) >= 0;
}

size_t find_percent(std::string_view text, size_t at) {
  at = text.find('%', at);
  while (at != text.npos && !is_percent_coded(text, at)) at = text.find('%', at + 1);
  return at;
}

std::optional<std::string> decode_percent(std::string_view text, bool plus_is_blank) {
  // Most percent signs are percentages, for which nothing is copied.
  const size_t first = find_percent(text, 0);
  const bool has_blank = plus_is_blank && text.find('+') != text.npos;
  if (first == text.npos && !has_blank) return std::nullopt;
  std::string plain;
  plain.reserve(text.size());
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '%' && is_percent_coded(text, at)) {
      plain += static_cast<char>(hex_digit(text[at + 1]) * 16 + hex_digit(text[at + 2]));
      at += 2;
    } else {
      plain += text[at] == '+' && plus_is_blank ? ' ' : text[at];
    }
  }
  return plain;
}

/// Is it text, and not bytes?
bool is_text(std::string_view decoded) {
  if (decoded.size() < kShortestEncoded / 2) return false;
  for (size_t at = 0; at < decoded.size();) {
    const auto [character, length] = decode(decoded.substr(at));
    const bool is_blank = character == '\n' || character == '\t' || character == '\r';
    if (character == U'\uFFFD' || (character < 0x20 && !is_blank) || character == 0x7f)
      return false;
    at += length;
  }
  return true;
}

bool is_base64(char c) {
  return base64_digit(c) >= 0;
}

/// The stretches of a text in which something is encoded, as whole lines, with so many lines around
/// them that nothing that is looked for reaches beyond. `find` returns where the next one is.
template <class Find>
std::vector<std::string_view> encoded_stretches(std::string_view text, const Find& find) {
  constexpr size_t kAround = 256;  // bytes that are no blanks; values and grams are shorter
  const auto is_seen = [](char c) { return static_cast<unsigned char>(c) > ' '; };
  std::vector<std::string_view> stretches;
  size_t end = 0;
  for (size_t at = find(0); at != text.npos; at = find(end)) {
    size_t begin = at, seen = 0;
    while (begin > end && (seen < kAround || text[begin - 1] != '\n'))
      seen += is_seen(text[--begin]);
    for (size_t last = at; last != text.npos; last = find(end)) {
      // Goes on as long as the next one is within what is around this one.
      end = std::min(text.find('\n', last), text.size());
      for (seen = 0; end < text.size() && (seen < kAround || text[end] != '\n'); ++end)
        seen += is_seen(text[end]);
      if (end == text.size() || find(end) > end + kAround) break;
    }
    stretches.push_back(text.substr(begin, end - begin));
    if (end == text.size()) break;
  }
  return stretches;
}

class Layers {
 public:
  Layers(bool is_whole, const std::function<void(std::string_view, Encoding)>& each)
      : is_whole_(is_whole), each_(each) {}

  void look_into(std::string_view text, int depth) {
    if (depth >= kDeepest) return;
    for (const std::string_view part : parts_with(text, find_escape))
      if (const std::optional<std::string> plain = unescape(part))
        show(*plain, Encoding::json, depth);
    for (const std::string_view part : parts_with(text, find_percent))
      if (const std::optional<std::string> plain = decode_percent(part, false))
        show(*plain, Encoding::percent, depth);
    queries(text, depth);
    for (size_t at = 0; at < text.size();) {
      if (!is_base64(text[at])) {
        ++at;
        continue;
      }
      size_t end = at;
      while (end < text.size() && is_base64(text[end])) ++end;
      if (end - at >= kShortestEncoded) encoded(text.substr(at, end - at), depth);
      at = end;
    }
  }

 private:
  std::vector<std::string_view> parts_with(std::string_view text,
                                           size_t (*find)(std::string_view, size_t)) const {
    if (is_whole_) return {text};
    return encoded_stretches(text, [&](size_t at) { return find(text, at); });
  }

  void show(std::string_view text, Encoding encoding, int depth) {
    each_(text, encoding);
    look_into(text, depth + 1);
  }

  void encoded(std::string_view run, int depth) {
    const bool is_hex =
        run.size() % 2 == 0 && std::ranges::all_of(run, [](char c) { return hex_digit(c) >= 0; });
    if (is_hex) {
      std::string plain;
      for (size_t at = 0; at < run.size(); at += 2)
        plain += static_cast<char>(hex_digit(run[at]) * 16 + hex_digit(run[at + 1]));
      if (is_text(plain)) return show(plain, Encoding::hex, depth);
    }
    // Words of small letters are not decoded: hardly any of what base64 writes looks so.
    if (std::ranges::all_of(run,
                            [](char c) { return (c >= 'a' && c <= 'z') || c == '-' || c == '/'; }))
      return;
    constexpr size_t kFirst = 8;  // most runs are no text by their first bytes
    if (!is_text(base64_bytes(run.substr(0, kFirst)))) return;
    if (const std::string plain = base64_bytes(run); is_text(plain))
      show(plain, Encoding::base64, depth);
  }

  /// The values of `?a=b&c=d` behind an address.
  void queries(std::string_view text, int depth) {
    for (size_t at = text.find("://"); at != text.npos; at = text.find("://", at + 3)) {
      const size_t end = std::min(text.find_first_of(" \t\r\n\"'`<>\\", at), text.size());
      const std::string_view address = text.substr(at, end - at);
      size_t mark = address.find('?');
      while (mark < address.size()) {
        const size_t next = std::min(address.find_first_of("&#;", mark + 1), address.size());
        const std::string_view pair = address.substr(mark + 1, next - mark - 1);
        const std::string_view value = pair.substr(std::min(pair.find('='), pair.size() - 1) + 1);
        if (pair.find('=') != pair.npos && !value.empty()) {
          const std::optional<std::string> plain = decode_percent(value, true);
          show(plain ? *plain : value, plain ? Encoding::percent : Encoding::query, depth);
        }
        mark = next;
      }
    }
  }

  bool is_whole_;
  const std::function<void(std::string_view, Encoding)>& each_;
};

}  // namespace

void each_layer(std::string_view text,
                const std::function<void(std::string_view layer, Encoding encoding)>& each) {
  each(text, Encoding::none);
  Layers(true, each).look_into(text, 0);
}

void each_decoded(std::string_view text,
                  const std::function<void(std::string_view layer, Encoding encoding)>& each) {
  each(text, Encoding::none);
  Layers(false, each).look_into(text, 0);
}

}  // namespace xtrace
