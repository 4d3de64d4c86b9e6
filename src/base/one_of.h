#pragma once

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace xtrace {

/// Is the word in the list? The list may be in braces, or any container of texts.
template <class Words = std::initializer_list<std::string_view>>
bool is_one_of(std::string_view word, const Words& words) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

}  // namespace xtrace
