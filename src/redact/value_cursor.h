#pragma once

#include <cstddef>
#include <string_view>

#include "redact/bytes.h"

namespace xtrace {

/// A place in a text that moves on over what is between a name and its value.
class ValueCursor {
 public:
  ValueCursor(std::string_view text, size_t place) : t_(text), p_(place) {}

  size_t place() const { return p_; }
  char next(size_t ahead = 0) const { return bytes::at(t_, p_ + ahead); }
  bool is_at(std::string_view word) const {
    return p_ <= t_.size() && t_.substr(p_, word.size()) == word;
  }
  void move(size_t bytes) { p_ += bytes; }

  bool take(std::string_view word) {
    if (!is_at(word)) return false;
    p_ += word.size();
    return true;
  }
  bool take_word(std::string_view word) {  // in any case
    for (size_t i = 0; i < word.size(); ++i)
      if ((bytes::at(t_, p_ + i) | 0x20) != (word[i] | 0x20)) return false;
    if (bytes::letter(bytes::at(t_, p_ + word.size()))) return false;
    p_ += word.size();
    return true;
  }
  /// The colors of a terminal.
  bool take_color() {
    if (next() != '\x1b' || next(1) != '[') return false;
    constexpr size_t kLongest = 16;
    size_t length = 2;
    while (length < kLongest && (is_digit(next(length)) || next(length) == ';')) ++length;
    if (next(length) != 'm') return false;
    p_ += length + 1;
    return true;
  }
  /// Blanks, and escaped tabs; with `lines` also the ends of lines.
  size_t take_blanks(size_t most, bool lines) {
    const size_t from = p_;
    while (p_ - from < most) {
      if (next() == ' ' || next() == '\t' || (lines && (next() == '\n' || next() == '\r')))
        ++p_;
      else if (const size_t escape = escaped_blank(lines); escape > 0)
        p_ += escape;
      else if (!take_color())
        break;
    }
    return p_ - from;
  }
  /// The quotes, brackets and signs of emphasis that end a name. Was a quote among them?
  bool take_closers() {
    constexpr size_t kMost = 12;
    bool is_quote = false;
    for (const size_t from = p_; p_ - from < kMost;) {
      if (take_color()) continue;
      if (next() == '\\' && escaped_blank(true) > 0) break;
      if (!bytes::is_in("\\\"'`]*", bytes::at(t_, p_)) || p_ >= t_.size()) break;
      is_quote |= next() == '"' || next() == '\'' || next() == '`';
      ++p_;
    }
    return is_quote;
  }

 private:
  size_t escaped_blank(bool lines) const {
    size_t slashes = 0;
    while (slashes < 8 && next(slashes) == '\\') ++slashes;
    const char c = next(slashes);
    if (slashes == 0) return 0;
    if (lines && c == '\n') return slashes + 1;  // a line that goes on in the next
    return c == 't' || (lines && (c == 'n' || c == 'r')) ? slashes + 1 : 0;
  }

  std::string_view t_;
  size_t p_;
};

/// Does a parameter of an address begin here: `next=`?
bool is_parameter(std::string_view text, size_t place);

/// Takes what assigns a value to a name: `=`, `:`, `=>`, `:=`, `->`, `: String =`, `{ get; set; }
/// =` and others. `needs_quote`: only a value in quotes is one.
bool take_sign(ValueCursor& cursor, std::string_view text, bool& needs_quote);

}  // namespace xtrace
