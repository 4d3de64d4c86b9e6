#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace xtrace {

/// Shorter ones come up again by chance.
inline constexpr size_t kShortestWord = 4;

/// Does a character of a script begin there that has no spaces between words: Chinese and Japanese,
/// Thai and Lao? (Scripts of India share the first byte of Thai; that theirs are cut does no harm.)
constexpr bool is_unspaced(char first) {
  const auto byte = static_cast<uint8_t>(first);
  return byte == 0xe0 || (byte >= 0xe3 && byte <= 0xe9);
}
inline constexpr size_t kUnspacedBytes = 3;  // of each such character

/// Of each byte the small letter, digit, `_` or part of a character beyond ASCII that words are
/// made of; 0: it is between words.
inline constexpr auto kLettersOfWords = [] {
  std::array<uint8_t, 256> letters{};
  for (size_t c = 0; c < letters.size(); ++c) {
    if (c >= 'A' && c <= 'Z')
      letters[c] = static_cast<uint8_t>(c | 0x20);
    else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
             (c >= 0x80 && !is_unspaced(static_cast<char>(c))))
      letters[c] = static_cast<uint8_t>(c);
  }
  return letters;
}();

constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

inline uint64_t mixed(uint64_t name) {
  name *= 0x9e3779b97f4a7c15;
  return name ^ name >> 32;
}

/// Calls `each(name, word)` for each word of a text until that is false; words that differ in
/// capitals only have one name. Of text without spaces, each two characters side by side are one.
/// Names are made on the way: most words are so short that calling a hash meant for long texts
/// would take longer than the rest.
template <class Each>
void for_each_word(std::string_view text, Each each) {
  for (size_t at = 0; at < text.size(); ++at) {
    const size_t begin = at;
    uint64_t name = 0, eight = 0;  // bytes, no more of the last ones than fit
    for (; at < text.size(); ++at) {
      const uint8_t letter = kLettersOfWords[static_cast<uint8_t>(text[at])];
      if (letter == 0) break;
      eight = eight << 8 | letter;
      if ((at - begin) % 8 == 7) name = mixed(name ^ std::exchange(eight, 0));
    }
    if (at - begin >= kShortestWord && !each(mixed(name ^ eight), text.substr(begin, at - begin)))
      return;
    if (at >= text.size() || !is_unspaced(text[at])) continue;
    const std::string_view two = text.substr(at, 2 * kUnspacedBytes);
    if (two.size() == 2 * kUnspacedBytes && is_unspaced(two[kUnspacedBytes])) {
      uint64_t bytes = 0;
      for (char c : two) bytes = bytes << 8 | static_cast<uint8_t>(c);
      if (!each(mixed(bytes), two)) return;
    }
    at += kUnspacedBytes - 1;
  }
}

/// Adds the names of all words.
void add_words(std::string_view text, std::vector<uint64_t>& words);

/// Is it a name that somebody made up, as `read_file`, `readFile` and `v2` are?
bool is_made_up(std::string_view word);

/// Words, by name, among which those of long texts are looked up. Most are not in the set, which
/// costs one look.
class WordSet {
 public:
  WordSet() : WordSet(std::vector<uint64_t>()) {}
  explicit WordSet(std::vector<uint64_t> words);
  bool empty() const { return left_ == 0; }
  size_t size() const { return left_; }
  /// In order, each once, with those that were taken out.
  const std::vector<uint64_t>& words() const { return words_; }
  bool contains(uint64_t word) const {
    const size_t at = find(word);
    return at < words_.size() && !is_struck_[at];
  }
  /// Takes it out, if it is there.
  void strike(uint64_t word) {
    const size_t at = find(word);
    if (at < words_.size() && !is_struck_[at]) is_struck_[at] = true, --left_;
  }

 private:
  uint64_t& bits_of(uint64_t word) { return bits_[(word >> 6) & (bits_.size() - 1)]; }
  uint64_t bits_of(uint64_t word) const { return bits_[(word >> 6) & (bits_.size() - 1)]; }
  static uint64_t bit(uint64_t word) { return uint64_t{1} << (word & 63); }

  /// Its index, or that behind the last one.
  size_t find(uint64_t word) const {
    if ((bits_of(word) & bit(word)) == 0) return words_.size();
    const auto at = std::lower_bound(words_.begin(), words_.end(), word);
    return at != words_.end() && *at == word ? static_cast<size_t>(at - words_.begin())
                                             : words_.size();
  }

  std::vector<uint64_t> words_;  ///< in order, each once
  std::vector<bool> is_struck_;
  size_t left_ = 0;
  std::vector<uint64_t> bits_;  ///< those of words are set: one in sixteen, or fewer
};

}  // namespace xtrace
