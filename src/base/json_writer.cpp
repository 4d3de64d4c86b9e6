#include "base/json_writer.h"

#include <fmt/format.h>

#include <cmath>
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

void JsonWriter::open(char bracket, char end, JsonLayout layout) {
  separate();
  out_ += bracket;
  levels_.push_back({layout, end});
}

void JsonWriter::close() {
  const Level level = levels_.back();
  levels_.pop_back();
  if (level.layout.on_lines && level.has_items) begin_line(level.layout.end);
  out_ += level.bracket;
}

void JsonWriter::key(std::string_view key) {
  separate();
  append_json(out_, key);
  out_ += levels_.back().layout.is_spaced ? ": " : ":";
  levels_.back().awaits_value = true;
}

void JsonWriter::separate() {
  if (levels_.empty()) return;
  Level& level = levels_.back();
  if (level.awaits_value) {
    level.awaits_value = false;
    return;
  }
  if (level.has_items) out_ += level.layout.is_spaced && !level.layout.on_lines ? ", " : ",";
  if (level.layout.on_lines) begin_line(level.layout.indent);
  level.has_items = true;
}

void JsonWriter::begin_line(size_t indent) {
  out_ += '\n';
  out_.append(indent, ' ');
}

void JsonWriter::whole(int64_t number) {
  constexpr int64_t kExact = int64_t{1} << 53;
  separate();
  const std::string_view quote = number <= kExact && number >= -kExact ? "" : "\"";
  const fmt::format_int digits(number);  // a twentieth of what format_to() takes
  out_.append(quote).append(digits.data(), digits.size()).append(quote);
}

void JsonWriter::value(double number) {
  if (!std::isfinite(number)) return null();  // JSON has no word for it
  separate();
  fmt::format_to(std::back_inserter(out_), "{}", number);
}

void JsonWriter::fraction(double number) {
  if (!std::isfinite(number)) return null();
  separate();
  size_t from = out_.size();
  fmt::format_to(std::back_inserter(out_), "{}", number);
  if (out_.find_first_of(".en", from) == std::string::npos) out_ += ".0";
}

}  // namespace xtrace
