#include "link/reuse/text_index.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "base/hash.h"
#include "link/reuse/passages.h"

namespace xtrace {

namespace {

// A value and a gram of the same bytes are different things.
uint64_t key_of_value(uint64_t hash) {
  return chain(1, hash);
}
uint64_t key_of_gram(uint64_t hash) {
  return chain(2, hash);
}
uint64_t key_at(uint64_t key, uint32_t where) {
  return chain(key, where);
}

constexpr size_t kBeginBits = 20;  // one in a hundred places passes with ten thousand values

/// The hash of the kShortestValue bytes from a place on.
uint64_t begin_at(const char* at) {
  static_assert(kShortestValue == sizeof(uint64_t) + sizeof(uint32_t));
  uint64_t low = 0;
  uint32_t high = 0;
  std::memcpy(&low, at, sizeof low);
  std::memcpy(&high, at + sizeof low, sizeof high);
  return (low * 0x9e3779b97f4a7c15ULL) ^ ((high + low) * 0xc2b2ae3d27d4eb4fULL);
}
size_t bit_of(uint64_t begin) {
  return static_cast<size_t>(begin >> (64 - kBeginBits));
}

bool is_word_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
}

bool is_whole(std::string_view text, size_t at, size_t length) {
  const size_t end = at + length;
  const bool begins = at == 0 || !is_word_byte(text[at]) || !is_word_byte(text[at - 1]);
  return begins && (end == text.size() || !is_word_byte(text[end - 1]) || !is_word_byte(text[end]));
}

}  // namespace

TextKeys keys_of(std::string_view text, size_t least_digits) {
  TextKeys all;
  std::unordered_set<uint64_t> met;
  const auto add = [&](TextKey key) {
    if (met.insert(key.hash).second) all.keys.push_back(std::move(key));
  };
  each_layer(text, [&](std::string_view layer, Encoding encoding) {
    find_tokens(layer, least_digits, false, [&](const Token& token) {
      add({hash_of(token.normal), token.kind, encoding, token.length, token.normal});
    });
    std::string folded = fold_text(layer);
    const auto length = static_cast<uint32_t>(folded.size());
    if (is_value(folded))
      add({key_of_value(hash_of(folded)), TokenKind::value, encoding, length, folded});
    TextLayer passages{encoding, std::move(folded), {}};
    for (const auto& [at, hash] : winnow(passages.folded))
      passages.grams.emplace_back(at, key_of_gram(hash));
    if (!passages.grams.empty()) all.layers.push_back(std::move(passages));
  });
  return all;
}

TextIndex::TextIndex(size_t least_digits)
    : least_digits_(least_digits), begins_(size_t{1} << kBeginBits) {}

void TextIndex::want(std::string_view text) {
  const TextKeys looked_for = keys_of(text, least_digits_);
  const auto add_begin = [&](std::string_view of) {
    const uint64_t begin = begin_at(of.data());
    begins_[bit_of(begin)] = true;
    lengths_[begin] |= uint64_t{1} << of.size();
  };
  for (const TextKey& key : looked_for.keys) {
    wanted_.insert(key.hash);
    if (key.kind == TokenKind::value) add_begin(key.text);
  }
  for (const TextLayer& layer : looked_for.layers)
    for (const auto& [at, key] : layer.grams) {
      wanted_.insert(key);
      add_begin(std::string_view(layer.folded).substr(at, kGram));
    }
}

void TextIndex::add(uint32_t index, const TextPlace& place, std::string_view text) {
  each_layer(text, [&](std::string_view layer, Encoding) {
    find_tokens(layer, least_digits_, true, [&](const Token& token) {
      const uint64_t key = hash_of(token.normal);
      if (token.kind == TokenKind::number) numbers_.insert(key);
      if (wanted_.contains(key)) note(key, index, place);
    });
    if (!lengths_.empty()) look_for_values(fold_text(layer), index, place);
  });
}

void TextIndex::look_for_values(std::string_view folded, uint32_t index, const TextPlace& place) {
  for (size_t at = 0; at + kShortestValue <= folded.size(); ++at) {
    const uint64_t begin = begin_at(folded.data() + at);
    if (begins_[bit_of(begin)])
      if (const auto found = lengths_.find(begin); found != lengths_.end())
        for (uint64_t lengths = found->second; lengths != 0; lengths &= lengths - 1) {
          const auto length = static_cast<size_t>(__builtin_ctzll(lengths));
          if (at + length > folded.size()) break;
          const uint64_t hash = hash_of(folded.substr(at, length));
          // A gram is within words, a value is whole ones.
          if (length == kGram && wanted_.contains(key_of_gram(hash)))
            note(key_of_gram(hash), index, place);
          if (const uint64_t key = key_of_value(hash);
              wanted_.contains(key) && is_whole(folded, at, length))
            note(key, index, place);
        }
  }
}

void TextIndex::note(uint64_t key, uint32_t index, const TextPlace& place) {
  places_.try_emplace(index, place);
  Seen& seen = seen_[key_at(key, place.conversation)];
  if (seen.first == kNever) {
    seen.first = index;
    conversations_[key].push_back(place.conversation);
  }
  const bool is_said = place.role == TextRole::system || place.role == TextRole::user;
  if (is_said && seen.said == kNever) seen.said = index;
  const bool is_known = !seen.results.empty() && seen.results.back() == index;
  if (place.role == TextRole::result && !is_known && seen.results.size() < kMostResults)
    seen.results.push_back(index);
  if (place.role == TextRole::argument && place.use)
    in_arguments_.insert(key_at(key, place.use.index));
}

const TextIndex::Seen* TextIndex::find(uint64_t key, uint32_t conversation) const {
  const auto found = seen_.find(key_at(key, conversation));
  return found == seen_.end() ? nullptr : &found->second;
}

const std::vector<uint32_t>& TextIndex::conversations_with(uint64_t key) const {
  static const std::vector<uint32_t> kNone;
  const auto found = conversations_.find(key);
  return found == conversations_.end() ? kNone : found->second;
}

bool TextIndex::is_in_arguments(uint64_t key, ToolUseId use) const {
  return in_arguments_.contains(key_at(key, use.index));
}

}  // namespace xtrace
