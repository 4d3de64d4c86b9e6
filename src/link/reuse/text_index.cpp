#include "link/reuse/text_index.h"

#include <algorithm>
#include <array>
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

uint64_t load_eight(const char* at) {
  uint64_t eight = 0;
  std::memcpy(&eight, at, sizeof eight);
  return eight;
}
/// Of bytes from a place on, in constant time: those that any value has, and all of a gram. They
/// only say where it is worth to look.
constexpr uint64_t kSpread = 0x9e3779b97f4a7c15ULL, kSpreadMore = 0xc2b2ae3d27d4eb4fULL;
uint64_t begin_of_any(const char* at) {
  return load_eight(at) * kSpread;
}
uint64_t begin_of_value(const char* at) {
  static_assert(kShortestValue >= 12);
  uint64_t hash = load_eight(at) * kSpread;
  hash = (hash ^ hash >> 32) + load_eight(at + 4);
  return hash * kSpreadMore;
}
uint64_t begin_of_gram(const char* at) {
  static_assert(kGram == 24);
  uint64_t hash = load_eight(at) * kSpread + load_eight(at + 8);
  hash = (hash ^ hash >> 32) * kSpreadMore + load_eight(at + 16);
  return (hash ^ hash >> 32) * kSpread;
}

constexpr std::array<bool, 256> kWordBytes = [] {
  std::array<bool, 256> bytes{};
  for (size_t c = 0; c < bytes.size(); ++c)
    bytes[c] = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c >= 0x80;
  return bytes;
}();
bool is_word_byte(char c) {
  return kWordBytes[static_cast<unsigned char>(c)];
}

/// Does a word begin or end between the bytes before and at a place?
bool is_border(std::string_view text, size_t at) {
  return at == 0 || at == text.size() || !is_word_byte(text[at]) || !is_word_byte(text[at - 1]);
}

void keep_each_once(std::vector<uint64_t>& hashes) {
  std::ranges::sort(hashes);
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
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

std::vector<WantedText> wanted_of(std::string_view text, size_t least_digits) {
  using Kind = WantedText::Kind;
  const TextKeys keys = keys_of(text, least_digits);
  std::vector<WantedText> wanted;
  for (const TextKey& key : keys.keys)
    if (key.kind == TokenKind::value)
      wanted.push_back({Kind::value, static_cast<uint8_t>(key.text.size()), key.hash,
                        begin_of_value(key.text.data()), begin_of_any(key.text.data())});
    else
      wanted.push_back({Kind::token, 0, key.hash, 0, 0});
  for (const TextLayer& layer : keys.layers)
    for (const auto& [at, key] : layer.grams)
      wanted.push_back({Kind::gram, kGram, key, begin_of_gram(layer.folded.data() + at),
                        begin_of_any(layer.folded.data() + at)});
  return wanted;
}

void HashFilter::seal() {
  // A bit in 32 is set at most, as far as that needs no more than 8 MB.
  constexpr int kFewest = 6, kMost = 26;
  int width = kFewest;
  while (width < kMost && size_t{1} << width < hashes_.size() * 32) ++width;
  shift_ = 64 - width;
  bits_.assign(size_t{1} << (width - kFewest), 0);
  for (const uint64_t hash : hashes_)
    bits_[(hash >> shift_) / 64] |= uint64_t{1} << (hash >> shift_) % 64;
  size_ = hashes_.size();
  hashes_ = {};
}

void TextIndex::want(const std::vector<WantedText>& wanted) {
  for (const WantedText& one : wanted) {
    if (!wanted_.insert(one.key).second) continue;
    keys_.add(one.key);
    if (one.kind != WantedText::Kind::token) eights_.add(one.eight);
    if (one.kind == WantedText::Kind::gram) grams_.add(one.begin);
    if (one.kind != WantedText::Kind::value) continue;
    begins_.add(one.begin);
    lengths_[one.begin] |= uint64_t{1} << one.length;
  }
}

void TextIndex::seal() {
  for (HashFilter* const filter : {&keys_, &eights_, &grams_, &begins_}) filter->seal();
}

TextHits TextIndex::find_hits(std::string_view text) const {
  TextHits hits;
  each_decoded(text, [&](std::string_view layer, Encoding) {
    find_tokens(layer, least_digits_, true, [&](const Token& token) {
      const uint64_t key = hash_of(token.normal);
      if (token.kind == TokenKind::number) hits.numbers.push_back(key);
      if (is_wanted(key)) hits.keys.push_back(key);
    });
    if (eights_.is_empty()) return;  // only tokens are looked for
    look_for_passages(fold_text(layer), hits);
  });
  keep_each_once(hits.keys);
  keep_each_once(hits.numbers);
  return hits;
}

/// Values and grams of passages: one look at eight bytes shows that none of them begins there.
void TextIndex::look_for_passages(std::string_view folded, TextHits& hits) const {
  const HashFilter::Look eights = eights_.look();
  for (size_t at = 0; at + kShortestValue <= folded.size(); ++at) {
    const char* const here = folded.data() + at;
    if (!eights.may_have(begin_of_any(here))) continue;
    if (at + kGram <= folded.size() && grams_.may_have(begin_of_gram(here))) {
      const uint64_t key = key_of_gram(hash_of(folded.substr(at, kGram)));
      if (is_wanted(key)) hits.keys.push_back(key);
    }
    // A gram is within words, a value is whole ones.
    if (const uint64_t begin = begin_of_value(here);
        begins_.may_have(begin) && is_border(folded, at))
      look_for_values(folded, at, begin, hits);
  }
}

void TextIndex::look_for_values(std::string_view folded, size_t at, uint64_t begin,
                                TextHits& hits) const {
  const auto found = lengths_.find(begin);
  if (found == lengths_.end()) return;
  for (uint64_t lengths = found->second; lengths != 0; lengths &= lengths - 1) {
    const auto length = static_cast<size_t>(__builtin_ctzll(lengths));
    if (at + length > folded.size()) break;
    if (!is_border(folded, at + length)) continue;
    const uint64_t key = key_of_value(hash_of(folded.substr(at, length)));
    if (is_wanted(key)) hits.keys.push_back(key);
  }
}

void TextIndex::add(uint32_t index, const TextPlace& place, const TextHits& hits) {
  if (!hits.keys.empty()) places_.try_emplace(index, place);
  for (const uint64_t key : hits.keys) note(key, index, place);
  numbers_.insert(hits.numbers.begin(), hits.numbers.end());
}

void TextIndex::note(uint64_t key, uint32_t index, const TextPlace& place) {
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
