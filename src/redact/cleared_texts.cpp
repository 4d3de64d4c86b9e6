#include "redact/cleared_texts.h"

#include <algorithm>

#include "base/digits.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "redact/sentences.h"

namespace xtrace {

namespace {

/// So many words at a time are compared: fewer would let sentences pass that nobody said, more
/// would cost more where a text is cut.
constexpr size_t kWordsAtOnce = 3;

bool is_word_byte(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         static_cast<uint8_t>(c) >= 0x80;
}

/// The code unit of `uXXXX` at `text[at]`; -1: none is there.
int escaped_unit(std::string_view text, size_t at) {
  if (at + 5 > text.size() || text[at] != 'u') return -1;
  int unit = 0;
  for (size_t i = at + 1; i < at + 5; ++i) {
    if (hex_digit(text[i]) < 0) return -1;
    unit = unit * 16 + hex_digit(text[i]);
  }
  return unit;
}

/// Calls `each` with the hash of each word, as copies have them in common: without capitals,
/// spaces, marks, and however JSON escapes them.
template <class Each>
void each_word(std::string_view text, Each each) {
  std::string word;
  auto end = [&] {
    if (!word.empty()) each(hash_of(word));
    word.clear();
  };
  for (size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    if (c == '\\') {
      while (at + 1 < text.size() && text[at + 1] == '\\') ++at;
      if (at + 1 == text.size()) break;
      if (const int unit = escaped_unit(text, at + 1); unit >= 0x80) {
        append_utf8(word, static_cast<char32_t>(unit));
        at += 5;
        continue;
      }
      end();
      const char escaped = text[at + 1];
      if (escaped == 'n' || escaped == 't' || escaped == 'r') ++at;
    } else if (is_word_byte(c)) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
      word += c;
    } else {
      end();
    }
  }
  end();
}

std::vector<uint64_t> words_of(std::string_view text) {
  std::vector<uint64_t> words;
  each_word(text, [&](uint64_t word) { words.push_back(word); });
  return words;
}

uint64_t hash_of_words(const std::vector<uint64_t>& words, size_t at, size_t count) {
  return XXH3_64bits(words.data() + at, count * sizeof(uint64_t));
}

/// A text of more bytes is no name.
constexpr size_t kLongestNameText = 4096;

/// Is what is called so a text?
bool is_text(std::string_view name) {
  size_t words = 0;
  for (size_t i = 0; i < name.size(); ++i)
    words += !is_blank(name[i]) && (i == 0 || is_blank(name[i - 1]));
  return words >= ClearedTexts::kTextWords;
}

uint64_t hash_of_place(std::string_view path, uint64_t offset) {
  return chain(hash_of(path), offset);
}

}  // namespace

ClearedTexts::ClearedTexts(Clearance clearance)
    : clearance_(std::move(clearance)), is_closed_(clearance_.withholds({})) {
  miss_inputs();  // until a record was read
}

void ClearedTexts::add(std::string_view text, std::string_view label) {
  const bool is_withheld = clearance_.withholds(label);
  const bool names_text = is_withheld && text.size() <= kLongestNameText && is_text(text);
  const bool is_open_text = is_closed_ && !is_withheld;
  const std::vector<uint64_t> words =
      names_text || is_open_text ? words_of(text) : std::vector<uint64_t>();
  const std::lock_guard lock(mutex_);
  if (names_text) names_.insert(hash_of_words(words, 0, words.size()));
  if (is_open_text)
    for (size_t count = 1; count <= kWordsAtOnce; ++count)
      for (size_t at = 0; at + count <= words.size(); ++at)
        open_.insert(hash_of_words(words, at, count));
  if (!is_withheld || label.empty()) return;
  withheld_.withhold(text);
  is_settled_ = false;
}

void ClearedTexts::add_source(std::string_view text, std::string_view label) {
  if (clearance_.withholds(label)) return;
  const std::lock_guard lock(mutex_);
  sources_.emplace_back(text);
  is_settled_ = false;
}

void ClearedTexts::add_record(std::string_view path, uint64_t offset, std::string_view label,
                              bool has_withheld) {
  const std::lock_guard lock(mutex_);
  if (counts_.records++ == 0) misses_inputs_ = false;
  counts_.unlabelled += label.empty();
  counts_.withheld += has_withheld;
  if (!label.empty()) labels_.insert_or_assign(hash_of_place(path, offset), std::string(label));
}

void ClearedTexts::miss_inputs() {
  const std::lock_guard lock(mutex_);
  misses_inputs_ = clearance_.labels.is_beyond(clearances().back(), clearance_.label);
}

bool ClearedTexts::is_open(std::string_view text) const {
  const std::vector<uint64_t> words = words_of(text);
  if (words.empty()) return true;
  const size_t count = std::min(kWordsAtOnce, words.size());
  for (size_t at = 0; at + count <= words.size(); ++at)
    if (!open_.contains(hash_of_words(words, at, count))) return false;
  return true;
}

/// With marks where something was withheld before.
bool ClearedTexts::is_open_around_marks(std::string_view sentence) const {
  for (size_t mark = sentence.find(WithheldTexts::kMark); mark != std::string_view::npos;
       mark = sentence.find(WithheldTexts::kMark)) {
    if (!is_open(sentence.substr(0, mark))) return false;
    sentence.remove_prefix(mark + WithheldTexts::kMark.size());
  }
  return is_open(sentence);
}

/// Sentence by sentence; several that are withheld in a row are one mark.
std::string ClearedTexts::show_open(std::string_view text) const {
  std::string shown;
  std::string_view hidden_end;
  bool was_withheld = false;
  each_sentence(text, [&](std::string_view sentence, std::string_view end) {
    const bool is_shown = is_open_around_marks(sentence);
    if (is_shown) {
      if (was_withheld && hidden_end == "\n") shown += hidden_end;
      (shown += sentence) += end;
    } else if (!was_withheld) {
      const size_t blanks = std::min(sentence.find_first_not_of(" \t\r\n"), sentence.size());
      (shown += sentence.substr(0, blanks)) += WithheldTexts::kMark;
    }
    hidden_end = end;
    was_withheld = !is_shown;
  });
  return shown;
}

void ClearedTexts::settle() const {
  if (!is_settled_)
    for (const std::string& source : sources_) withheld_.open(source);
  is_settled_ = true;
}

std::string ClearedTexts::show_settled(std::string_view text) const {
  settle();
  const std::string shown = withheld_.show(std::string(text));
  return is_closed() ? show_open(shown) : shown;
}

std::string ClearedTexts::show(std::string_view text) const {
  const std::lock_guard lock(mutex_);
  return show_settled(text);
}

std::string ClearedTexts::show_name(std::string_view name) const {
  if (!is_text(name)) return std::string(name);
  const std::lock_guard lock(mutex_);
  const std::vector<uint64_t> words = words_of(name);
  if (names_.contains(hash_of_words(words, 0, words.size()))) return show_settled(name);
  settle();
  return withheld_.show(std::string(name));
}

std::string ClearedTexts::label_at(const RecordPlace& place) const {
  const std::lock_guard lock(mutex_);
  const auto found = labels_.find(hash_of_place(place.path, place.offset));
  return found == labels_.end() ? std::string() : found->second;
}

bool ClearedTexts::withholds_at(const RecordPlace& place) const {
  const std::string label = label_at(place);
  return !label.empty() && clearance_.withholds(label);
}

ClearedTexts::Counts ClearedTexts::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

}  // namespace xtrace
