#include "serve/target.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/digits.h"
#include "base/text.h"

namespace xtrace::serve {

namespace {

/// Control characters have no place in a name, and a zero byte would end a word of a command line.
bool is_plain(std::string_view text) {
  return std::ranges::none_of(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

Answered<std::string> decode_percent(std::string_view text, bool plus_is_blank) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && plus_is_blank) {
      out += ' ';
    } else if (text[i] != '%') {
      out += text[i];
    } else {
      const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
      if (high < 0 || low < 0)
        return refuse(400, "malformed address: % needs two hexadecimal digits; write % as %25");
      out += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  if (!is_plain(out)) return refuse(400, "malformed address: it has control characters");
  return out;
}

}  // namespace

const std::string* Target::find(std::string_view name) const {
  for (const auto& [key, value] : parameters)
    if (key == name) return &value;
  return nullptr;
}

Answered<Target> read_target(std::string_view text) {
  if (!text.starts_with('/')) return refuse(400, "malformed address: it does not begin with /");
  text = text.substr(0, text.find('#'));
  const size_t mark = text.find('?');
  std::string_view path = text.substr(1, mark == std::string_view::npos ? mark : mark - 1);
  Target target;
  while (!path.empty()) {
    const size_t end = std::min(path.find('/'), path.size());
    Answered<std::string> segment = decode_percent(path.substr(0, end), false);
    if (!segment) return tl::unexpected(segment.error());
    target.path.push_back(*std::move(segment));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  if (mark == std::string_view::npos) return target;
  for (std::string_view query = text.substr(mark + 1); !query.empty();) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(pair.size() + 1, query.size()));
    if (pair.empty()) continue;
    const size_t equals = std::min(pair.find('='), pair.size());
    Answered<std::string> key = decode_percent(pair.substr(0, equals), true);
    if (!key) return tl::unexpected(key.error());
    Answered<std::string> value =
        decode_percent(pair.substr(std::min(equals + 1, pair.size())), true);
    if (!value) return tl::unexpected(value.error());
    if (target.find(*key) != nullptr)
      return refuse(400, fmt::format("parameter '{}' is given twice", printable(*key)));
    target.parameters.emplace_back(*std::move(key), *std::move(value));
  }
  return target;
}

}  // namespace xtrace::serve
