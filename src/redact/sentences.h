#pragma once

#include <string_view>

namespace xtrace {

constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// Calls `each(sentence, end)` for one sentence or line of `text` after another: with the blanks
/// before it, and the mark at its end, which is empty at the end of the text.
template <class Each>
void each_sentence(std::string_view text, Each each) {
  constexpr std::string_view kEnds = ".!?\n";
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool ends = kEnds.find(text[i]) != std::string_view::npos;
    const bool is_within = text[i] != '\n' && i + 1 < text.size() && !is_blank(text[i + 1]);  // 3.5
    if (!ends || is_within) continue;
    each(text.substr(begin, i - begin), text.substr(i, 1));
    begin = i + 1;
  }
  if (begin < text.size()) each(text.substr(begin), std::string_view());
}

}  // namespace xtrace
