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

/// Which of the things that are looked for stand where. It keeps hashes, and places only where one
/// was met, so that memory grows with what is looked for and not with the texts.
///
///     for each text that is asked about: index.want(text)
///     each_text(…): index.add(i, place, text)
///     index.find(key, conversation)
class TextIndex {
 public:
  explicit TextIndex(size_t least_digits = kLeastDigits);

  /// All that the text has is looked for. Before anything is added.
  void want(std::string_view text);
  /// In the order of each_text().
  void add(uint32_t index, const TextPlace& place, std::string_view text);

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
  void look_for_values(std::string_view folded, uint32_t index, const TextPlace& place);

  size_t least_digits_;
  std::unordered_set<uint64_t> wanted_;
  /// By the hash of their first bytes: the lengths of values, a bit each.
  std::unordered_map<uint64_t, uint64_t> lengths_;
  std::vector<bool> begins_;  ///< by a part of that hash: a value or gram may begin so
  std::unordered_map<uint64_t, Seen> seen_;  ///< by thing and conversation
  std::unordered_map<uint64_t, std::vector<uint32_t>> conversations_;
  std::unordered_map<uint32_t, TextPlace> places_;
  std::unordered_set<uint64_t> in_arguments_;  ///< things and tool uses
  std::unordered_set<uint64_t> numbers_;
};

}  // namespace xtrace
