#include "redact/clearance.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/lower.h"
#include "base/text.h"

namespace xtrace {

namespace {

constexpr std::string_view kClearances[] = {"public", "internal", "confidential", "restricted",
                                            "secret"};

/// The same ranks in Portuguese and Spanish, and as documents head them.
struct Alias {
  std::string_view label, rank;
};
constexpr Alias kAliases[] = {{"unclassified", "public"},
                              {"internal use only", "internal"},
                              {"for internal use only", "internal"},
                              {"uso interno", "internal"},
                              {"company confidential", "confidential"},
                              {"strictly confidential", "restricted"},
                              {"highly confidential", "restricted"},
                              {"top secret", "secret"},
                              {"ultrassecreto", "secret"},
                              {"público", "public"},
                              {"pÚblico", "public"},  // capitals beyond A to Z stay
                              {"publico", "public"},
                              {"interno", "internal"},
                              {"interna", "internal"},
                              {"confidencial", "confidential"},
                              {"restrito", "restricted"},
                              {"restringido", "restricted"},
                              {"secreto", "secret"}};

/// How a line at the head of a text states its label.
struct HeadForm {
  std::string_view begin, end;  ///< around the label; letters are small
  bool is_alone = false;        ///< nothing around it is a sign: the label is the whole line
};
constexpr HeadForm kHeadForms[] = {{"classification:", ""},
                                   {"data classification:", ""},
                                   {"security classification:", ""},
                                   {"sensitivity:", ""},
                                   {"confidentiality:", ""},
                                   {"classificação:", ""},
                                   {"classificaÇÃo:", ""},  // capitals beyond A to Z stay
                                   {"classificacao:", ""},
                                   {"clasificación:", ""},
                                   {"sigilo:", ""},
                                   {"[", "]"},
                                   {"(", ")"},
                                   {"", "", true}};
constexpr size_t kHeadLines = 3;  // below them a text quotes labels rather than bears one

/// Without blanks and what Markdown and comments put around words.
std::string_view bare_line(std::string_view line) {
  constexpr std::string_view kAround = " \t\r*_#>/-=|~`\"'.";
  const size_t begin = line.find_first_not_of(kAround);
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(kAround) - begin + 1);
}

/// `value` up to as many words as name a label: `CONFIDENTIAL, do not forward`.
std::string label_at_begin(std::string_view value, const LabelRanks& labels) {
  value = bare_line(value);
  constexpr std::string_view kEnds = " ,;/|(-.";
  for (size_t end = value.size(); end != std::string_view::npos && end > 0;
       end = value.find_last_of(kEnds, end - 1)) {
    const std::string_view word = bare_line(value.substr(0, end));
    if (!word.empty() && labels.is_known(word)) return std::string(word);
  }
  return {};
}

/// Words of everyday language are labels only in capitals or brackets.
bool is_everyday(std::string_view word) {
  const bool is_shouted = std::ranges::none_of(word, [](char c) { return c >= 'a' && c <= 'z'; });
  const bool is_sentence = !word.empty() && word.front() >= 'a' && word.front() <= 'z';
  return !is_shouted && (is_sentence || LabelRanks().is_beyond("confidential", word));
}

std::string label_of_line(std::string_view line, const LabelRanks& labels) {
  const std::string small = lower(line);
  for (const HeadForm& form : kHeadForms) {
    if (form.is_alone) return labels.is_known(line) && !is_everyday(line) ? std::string(line) : "";
    if (!small.starts_with(form.begin)) continue;
    const std::string_view rest = line.substr(form.begin.size());
    const size_t end = form.end.empty() ? rest.size() : rest.find(form.end);
    if (end == std::string_view::npos) continue;
    if (form.end.empty()) return label_at_begin(rest.substr(0, end), labels);
    const std::string_view word = bare_line(rest.substr(0, end));
    if (labels.is_known(word)) return std::string(word);
  }
  return {};
}

}  // namespace

Status LabelRanks::add(const std::vector<std::string>& meanings) {
  for (const std::string& meaning : meanings) {
    const size_t equals = meaning.find('=');
    const std::string label = lower(meaning.substr(0, equals));
    const size_t rank =
        equals == std::string::npos ? std::size(kClearances) : rank_of(meaning.substr(equals + 1));
    if (label.empty() || rank == std::size(kClearances))
      return fail(
          Exit::usage,
          fmt::format("--label: '{}' is not LABEL=MEANING, such as sigilo=secret; meanings: {}",
                      printable(meaning), fmt::join(kClearances, ", ")));
    own_[label] = rank;
  }
  return {};
}

size_t LabelRanks::rank_of(std::string_view label) const {
  std::string word = lower(label);
  if (auto own = own_.find(word); own != own_.end()) return own->second;
  for (const Alias& alias : kAliases)
    if (word == alias.label) word = alias.rank;
  return static_cast<size_t>(std::find(std::begin(kClearances), std::end(kClearances), word) -
                             std::begin(kClearances));
}

bool LabelRanks::is_beyond(std::string_view sensitivity, std::string_view clearance) const {
  return !clearance.empty() && !sensitivity.empty() && rank_of(sensitivity) > rank_of(clearance);
}

const std::string& LabelRanks::more_sensitive(const std::string& a, const std::string& b) const {
  if (a.empty() || b.empty()) return a.empty() ? b : a;
  return rank_of(b) > rank_of(a) ? b : a;
}

bool LabelRanks::is_known(std::string_view label) const {
  return rank_of(label) < std::size(kClearances);
}

std::string label_in(std::string_view text, const LabelRanks& labels) {
  constexpr size_t kLongest = 200;  // of a line that is a head and no paragraph
  size_t lines = 0;
  for (size_t at = 0; at < text.size() && lines < kHeadLines;) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    const std::string_view bare = bare_line(line);
    if (bare.empty()) continue;
    ++lines;
    if (bare.size() > kLongest) return {};
    if (std::string label = label_of_line(bare, labels); !label.empty()) return label;
  }
  return {};
}

std::span<const std::string_view> clearances() {
  return kClearances;
}

}  // namespace xtrace
