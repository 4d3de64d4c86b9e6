#include "redact/withheld_texts.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "redact/sentences.h"

namespace xtrace {

namespace {

constexpr size_t kShortest = 12;  // shorter ones are said everywhere

/// Without what copying changes: blanks, capitals, the backslashes and line breaks of JSON.
std::string bare(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      if (i + 1 < text.size() && (text[i + 1] == 'n' || text[i + 1] == 't')) ++i;
      continue;
    }
    if (is_blank(text[i])) continue;
    char c = text[i];
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  }
  return out;
}

/// Each without the mark at its end, which may be missing from a copy.
template <class Each>
void each_passage(std::string_view text, Each each) {
  each_sentence(text, [&](std::string_view sentence, std::string_view) {
    while (!sentence.empty() && is_blank(sentence.front())) sentence.remove_prefix(1);
    while (!sentence.empty() && is_blank(sentence.back())) sentence.remove_suffix(1);
    if (sentence.size() >= kShortest) each(sentence);
  });
}

}  // namespace

const WithheldTexts::Index& WithheldTexts::index() const {
  if (index_ == nullptr) {
    std::vector<std::string> texts, bare;
    for (const Sentence& sentence : sentences_) {
      texts.push_back(sentence.text);
      bare.push_back(sentence.bare);
    }
    index_ = std::make_shared<const Index>(Index{Passages(texts), Passages(bare)});
  }
  return *index_;
}

void WithheldTexts::withhold(std::string_view text) {
  each_passage(text, [&](std::string_view sentence) {
    if (!withheld_.emplace(sentence).second) return;
    sentences_.push_back({std::string(sentence), bare(sentence)});
    index_ = nullptr;
  });
}

void WithheldTexts::open(std::string_view text) {
  if (withheld_.empty()) return;
  index().bare.find_in(bare(text), [&](size_t i, size_t) {
    if (!std::exchange(sentences_[i].is_open, true)) withheld_.erase(sentences_[i].text);
    return true;
  });
}

std::string WithheldTexts::show(const std::string& text) const {
  if (withheld_.empty() || text.size() < kShortest) return text;
  std::vector<std::pair<size_t, size_t>> found;  // sentence, where it begins
  index().sentences.find_in(text, [&](size_t i, size_t at) {
    if (!sentences_[i].is_open) found.emplace_back(i, at);
    return true;
  });
  std::ranges::sort(found);
  std::map<size_t, size_t> cut;  // begin, end
  for (const auto& [i, at] : found) {
    const size_t end = at + sentences_[i].text.size();
    const auto next = cut.lower_bound(at);
    const bool overlaps = (next != cut.end() && next->first < end) ||
                          (next != cut.begin() && std::prev(next)->second > at);
    if (!overlaps) cut.emplace(at, end);
  }
  std::string shown;
  size_t done = 0;
  for (const auto& [begin, end] : cut) {
    shown += std::string_view(text).substr(done, begin - done);
    shown += kMark;
    done = end;
  }
  shown += std::string_view(text).substr(done);
  // Spaced or escaped otherwise, it cannot be cut out: nothing of the text is shown.
  bool any = false;
  index().bare.find_in(bare(shown), [&](size_t i, size_t) {
    any = !sentences_[i].is_open;
    return !any;
  });
  return any ? std::string(kMark) : shown;
}

}  // namespace xtrace
