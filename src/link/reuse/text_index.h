#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "link/reuse/texts.h"
#include "link/reuse/token.h"

namespace xtrace {

/// A token or value of a text.
struct TextKey {
  uint64_t hash = 0;  ///< by which the index knows it
  TokenKind kind = TokenKind::code;
  Encoding encoding = Encoding::none;
  uint32_t length = 0;  ///< bytes as it is written
  std::string text;     ///< its normal form
};
/// What can be found in other texts of a layer of a text: the grams of its passages.
struct TextLayer {
  Encoding encoding = Encoding::none;
  std::string folded;
  std::vector<std::pair<size_t, uint64_t>> grams;  ///< where each is, and its key in the index
};
struct TextKeys {
  std::vector<TextKey> keys;      ///< each once
  std::vector<TextLayer> layers;  ///< those that have passages
};
TextKeys keys_of(std::string_view text, size_t least_digits = kLeastDigits);

/// Something that is looked for.
struct WantedText {
  enum class Kind : uint8_t { token, value, gram };
  Kind kind = Kind::token;
  uint8_t length = 0;  ///< bytes of a value
  uint64_t key = 0;
  uint64_t begin = 0;  ///< of a value or gram: hash of its first bytes
  uint64_t eight = 0;  ///< the same of the first eight
};
/// All that a text has.
std::vector<WantedText> wanted_of(std::string_view text, size_t least_digits = kLeastDigits);

/// What a text has of the things that are looked for.
struct TextHits {
  std::vector<uint64_t> keys;     ///< each once
  std::vector<uint64_t> numbers;  ///< hashes of all its numbers, each once
};

/// A set of hashes, of which most others are known not to be in it by one look at few bytes.
class HashFilter {
 public:
  void add(uint64_t hash) { hashes_.push_back(hash); }
  /// Once all are added.
  void seal();
  bool is_empty() const { return size_ == 0; }
  /// Of a sealed one, for many questions in a row.
  struct Look {
    const uint64_t* bits;
    int shift;
    /// False: it is not in it.
    bool may_have(uint64_t hash) const {
      const uint64_t at = hash >> shift;
      return (bits[at / 64] >> (at % 64) & 1) != 0;
    }
  };
  Look look() const { return {bits_.data(), shift_}; }
  bool may_have(uint64_t hash) const { return look().may_have(hash); }

 private:
  std::vector<uint64_t> hashes_;  ///< until they are sealed
  size_t size_ = 0;
  std::vector<uint64_t> bits_{0};
  int shift_ = 63;
};

/// Which of the things that are looked for stand where. It keeps hashes, and places only where one
/// was met, so that memory grows with what is looked for and not with the texts.
///
///     for each text that is asked about: index.want(wanted_of(text))
///     index.seal()
///     of each text: index.find_hits(text), on any thread
///     in the order of the texts: index.add(i, place, hits)
///     index.find(key, conversation)
class TextIndex {
 public:
  explicit TextIndex(size_t least_digits = kLeastDigits) : least_digits_(least_digits) {}

  void want(const std::vector<WantedText>& wanted);
  /// Nothing more is wanted.
  void seal();
  TextHits find_hits(std::string_view text) const;
  void add(uint32_t index, const TextPlace& place, const TextHits& hits);

  static constexpr uint32_t kNever = UINT32_MAX;
  /// Further results that have a thing are not kept.
  static constexpr size_t kMostResults = 8;
  /// Where a conversation has a thing, as indices of places.
  struct Seen {
    uint32_t first = kNever;
    uint32_t said = kNever;  ///< the first that the system or a user says
    std::vector<uint32_t> results;
  };
  /// Nullptr: it does not have it.
  const Seen* find(uint64_t key, uint32_t conversation) const;
  /// The conversations that have it.
  const std::vector<uint32_t>& conversations_with(uint64_t key) const;
  /// Do the arguments of the tool use have it?
  bool is_in_arguments(uint64_t key, ToolUseId use) const;
  /// Of an index that find() returned.
  const TextPlace& place(uint32_t index) const { return places_.at(index); }
  /// Different numbers in all texts.
  size_t numbers() const { return numbers_.size(); }

 private:
  void note(uint64_t key, uint32_t index, const TextPlace& place);
  bool is_wanted(uint64_t key) const { return keys_.may_have(key) && wanted_.contains(key); }
  void look_for_passages(std::string_view folded, TextHits& hits) const;
  void look_for_values(std::string_view folded, size_t at, uint64_t begin, TextHits& hits) const;

  size_t least_digits_;
  std::unordered_set<uint64_t> wanted_;
  HashFilter keys_;
  /// By their first bytes: grams and values, by eight of them; grams; values.
  HashFilter eights_, grams_, begins_;
  /// By the hash of their first bytes: the lengths of values, a bit each.
  std::unordered_map<uint64_t, uint64_t> lengths_;
  std::unordered_map<uint64_t, Seen> seen_;  ///< by thing and conversation
  std::unordered_map<uint64_t, std::vector<uint32_t>> conversations_;
  std::unordered_map<uint32_t, TextPlace> places_;
  std::unordered_set<uint64_t> in_arguments_;  ///< things and tool uses
  std::unordered_set<uint64_t> numbers_;
};

}  // namespace xtrace
