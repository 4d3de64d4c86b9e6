#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace xtrace {

/// Those of `known` that someone who typed `word` may have meant, at most `most`: names that
/// contain it, or else names the fewest keystrokes away.
std::vector<std::string_view> nearest(std::string_view word,
                                      std::span<const std::string_view> known, size_t most = 3);

/// "; did you mean 'a' or 'b'?", or nothing when nothing is near.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> known);

/// `a, b and 3 more`: the first `most` of the items, each as `words` has it.
template <class Items, class Words>
std::string name_some(const Items& items, size_t most, Words words,
                      std::string_view between = ", ") {
  std::string text;
  for (size_t i = 0; i < std::min(items.size(), most); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : between, words(items[i]));
  if (items.size() > most) text += fmt::format(" and {} more", items.size() - most);
  return text;
}

/// The same with each in a line of its own, and `…` for more.
template <class Items, class Words>
std::string list_some(const Items& items, size_t most, Words words) {
  std::string lines;
  for (size_t i = 0; i < std::min(items.size(), most); ++i)
    lines += fmt::format("\n  {}", words(items[i]));
  return lines + (items.size() > most ? "\n  …" : "");
}

}  // namespace xtrace
