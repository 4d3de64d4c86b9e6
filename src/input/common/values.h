#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace xtrace {

/// Finds where a JSON value that opened with `{` or `[` closes, without judging what is in between.
/// May be fed a value in pieces.
class ValueScanner {
 public:
  /// Goes on with `bytes`, which follow what was fed before. Returns how many of them belong to the
  /// value; closed() shows whether it ended there.
  size_t feed(std::string_view bytes);
  bool closed() const { return opened_ && depth_ == 0; }

 private:
  /// Passes over 64 bytes without a backslash, which have these signs, a bit for each byte. The
  /// length of what belongs to a value that ends in them, else 0.
  size_t pass_block(uint64_t quotes, uint64_t opens, uint64_t closes);

  size_t depth_ = 0;
  bool opened_ = false;
  bool in_string_ = false;
  bool escaped_ = false;
};

/// The values that stand one after another in `text`; calls `each(value, offset)`. False if
/// anything else is between or behind them.
template <class Each>
bool split_values(std::string_view text, Each each) {
  constexpr std::string_view kBlank = " \t\r\n";
  for (size_t at = text.find_first_not_of(kBlank); at < text.size();) {
    if (text[at] != '{' && text[at] != '[') return false;
    ValueScanner scanner;
    size_t length = scanner.feed(text.substr(at));
    if (!scanner.closed()) return false;
    each(text.substr(at, length), at);
    at = text.find_first_not_of(kBlank, at + length);
  }
  return true;
}

}  // namespace xtrace
