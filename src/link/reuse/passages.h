#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xtrace {

/// Texts share a passage if so many bytes are the same: about half a line.
inline constexpr size_t kShortestRun = 40;
/// Passages are known by grams of this many bytes. Of every kKeptOf in a row the least is kept, so
/// that each common run of kShortestRun bytes has one that both texts keep (Schleimer, Wilkerson,
/// Aiken: Winnowing, 2003).
inline constexpr size_t kGram = 24, kKeptOf = kShortestRun - kGram + 1;
/// A short text can be compared as a whole: from so many bytes on, of two words or more. A longer
/// one is compared by its passages.
inline constexpr size_t kShortestValue = 12, kLongestValue = 60;

/// White space folded, ASCII letters small: the form in which passages and values are compared.
std::string fold_text(std::string_view text);

/// Is a folded text compared as a whole?
bool is_value(std::string_view folded);

/// The grams of a folded text that winnowing keeps, in order: where each begins, and its hash.
std::vector<std::pair<size_t, uint64_t>> winnow(std::string_view folded);

/// Bytes of a text.
struct Passage {
  size_t begin = 0, end = 0;
  size_t size() const { return end - begin; }
};

/// The stretches of `text` that `other` has too, of kGram bytes or more around the grams at
/// `places`; ordered, and joined where they touch. Both are folded. Takes time in proportion to
/// both texts.
std::vector<Passage> find_common(std::string_view text, std::string_view other,
                                 const std::vector<size_t>& places);

/// What is left of a range without others, which are ordered: its longest part.
Passage longest_left(Passage range, const std::vector<Passage>& without);

}  // namespace xtrace
