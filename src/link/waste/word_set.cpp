#include "link/waste/word_set.h"

namespace xtrace {

void add_words(std::string_view text, std::vector<uint64_t>& words) {
  for_each_word(text, [&](uint64_t word, std::string_view) {
    words.push_back(word);
    return true;
  });
}

bool is_made_up(std::string_view word) {
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  bool has_letter = false;
  for (size_t i = 0; i < word.size(); ++i) {
    const char c = word[i];
    if (c == '_' || (i > 0 && is_capital(c) && !is_capital(word[i - 1]))) return true;
    if (c >= '0' && c <= '9' && has_letter) return true;
    has_letter |= c > '9';
  }
  return false;
}

WordSet::WordSet(std::vector<uint64_t> words) : words_(std::move(words)) {
  std::sort(words_.begin(), words_.end());
  words_.erase(std::unique(words_.begin(), words_.end()), words_.end());
  is_struck_.resize(words_.size());
  left_ = words_.size();
  size_t room = 16;
  while (room * 4 < words_.size()) room *= 2;
  bits_.resize(room);
  for (uint64_t word : words_) bits_of(word) |= bit(word);
}

}  // namespace xtrace
