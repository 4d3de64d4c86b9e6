#include "view/query/withheld_texts.h"

#include <algorithm>

namespace xtrace {

namespace {

constexpr size_t kShortest = 12;  // shorter ones are said everywhere

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

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

/// Each but for the mark it ends with, which a copy may lack.
template <class Each>
void each_sentence(std::string_view text, Each each) {
  constexpr std::string_view kEnds = ".!?\n";
  size_t begin = 0;
  auto add = [&](size_t end) {
    std::string_view sentence = text.substr(begin, end - begin);
    while (!sentence.empty() && is_blank(sentence.front())) sentence.remove_prefix(1);
    while (!sentence.empty() && is_blank(sentence.back())) sentence.remove_suffix(1);
    if (sentence.size() >= kShortest) each(sentence);
    begin = end + 1;
  };
  for (size_t i = 0; i < text.size(); ++i) {
    bool ends = kEnds.find(text[i]) != std::string_view::npos;
    bool is_within = text[i] != '\n' && i + 1 < text.size() && !is_blank(text[i + 1]);  // 3.5
    if (ends && !is_within) add(i);
  }
  add(text.size());
}

}  // namespace

void WithheldTexts::withhold(std::string_view text) {
  each_sentence(text, [&](std::string_view sentence) {
    std::string known = bare(sentence);
    bool is_known = std::any_of(sentences_.begin(), sentences_.end(),
                                [&](const Sentence& one) { return one.text == sentence; });
    if (!is_known) sentences_.push_back({std::string(sentence), std::move(known)});
  });
}

void WithheldTexts::open(std::string_view text) {
  if (sentences_.empty()) return;
  const std::string said = bare(text);
  std::erase_if(sentences_, [&](const Sentence& sentence) {
    return said.find(sentence.bare) != std::string::npos;
  });
}

std::string WithheldTexts::show(const std::string& text) const {
  if (sentences_.empty() || text.size() < kShortest) return text;
  std::string shown = text;
  for (const Sentence& sentence : sentences_)
    for (size_t at = 0; (at = shown.find(sentence.text, at)) != std::string::npos;
         at += kMark.size())
      shown.replace(at, sentence.text.size(), kMark);
  // Spaced or escaped otherwise, it cannot be cut out: nothing of the text is shown.
  const std::string left = bare(shown);
  bool any = std::any_of(sentences_.begin(), sentences_.end(), [&](const Sentence& sentence) {
    return left.find(sentence.bare) != std::string::npos;
  });
  return any ? std::string(kMark) : shown;
}

}  // namespace xtrace
