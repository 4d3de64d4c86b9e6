#pragma once

#include <string_view>

#include "base/one_of.h"

namespace xtrace {

/// A row of a table in which words are looked up: words that mean the same.
template <class Meaning>
struct WordRow {
  Meaning meaning;
  std::string_view words[32];  ///< room for the longest row; the rest is empty
};

/// Returns what the row with this word means, or `otherwise` if no row has it.
template <class Table, class Meaning>
Meaning find_meaning(const Table& table, std::string_view word, Meaning otherwise) {
  for (const auto& row : table)
    if (!word.empty() && is_one_of(word, row.words)) return row.meaning;
  return otherwise;
}

}  // namespace xtrace
