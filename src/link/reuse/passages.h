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
struct SharedPassage {
  size_t begin = 0, end = 0;
  size_t size() const { return end - begin; }
};

/// A folded text in which passages of others are looked for.
class PassageIndex {
 public:
  explicit PassageIndex(std::string folded);

  /// The stretches of another folded text that this one has too, around the grams at `places`,
  /// which winnow() kept there; ordered, and joined where they touch. Finds all of kShortestRun
  /// bytes and more in time in proportion to the other text; with `finds_short`, all that have one
  /// of these grams, for which this text may be gone through once a gram.
  std::vector<SharedPassage> common(std::string_view other, const std::vector<size_t>& places,
                                    bool finds_short) const;

 private:
  SharedPassage longest_at(std::string_view other, size_t at, bool finds_short) const;
  SharedPassage extended(std::string_view other, size_t at, size_t here) const;

  std::string folded_;
  std::vector<std::pair<uint64_t, size_t>> grams_;  ///< that winnow() keeps, by hash and place
};

/// What is left of a range without others, which are ordered: its longest part.
SharedPassage longest_left(SharedPassage range, const std::vector<SharedPassage>& without);

}  // namespace xtrace
