#include "view/eval/claim_words.h"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/lower.h"
#include "base/number.h"
#include "link/claims/phrases.h"

namespace xtrace {

namespace {

/// Without its ending; rough, but the same for both sides.
std::string stem_of(std::string word) {
  auto ends = [&](std::string_view ending, size_t least) {
    return word.ends_with(ending) && word.size() >= ending.size() + least;
  };
  auto drop = [&](size_t letters) { word.resize(word.size() - letters); };
  if (ends("ies", 2) || ends("ied", 2)) {
    drop(3);
    return word + 'y';
  }
  if (ends("sses", 2) || ends("shes", 2) || ends("xes", 2)) {
    drop(2);
  } else if (ends("s", 3) && !word.ends_with("ss") && !word.ends_with("us")) {
    drop(1);
  } else if (ends("ing", 3) || ends("ed", 3)) {
    drop(word.ends_with("ed") ? 2 : 3);
    const bool is_doubled = word.size() > 3 && word.back() == word[word.size() - 2];
    if (is_doubled && std::string_view("aeiousl").find(word.back()) == std::string_view::npos)
      drop(1);
  }
  if (ends("e", 3)) drop(1);
  return word;
}

}  // namespace

std::string about_word(std::string_view word) {
  static const std::set<std::string_view> kEmpty = words_of("empty words"),
                                          kTotals = words_of("total");
  // By each word and its stem, the stem of the line's first word.
  static const std::map<std::string, std::string> kMeanings = [] {
    std::map<std::string, std::string> meanings;
    for (const auto& line : word_lines("same"))
      for (std::string_view one : line)
        for (const std::string& form : {std::string(one), stem_of(std::string(one))})
          meanings.emplace(form, stem_of(std::string(line.front())));
    return meanings;
  }();
  const std::string folded = lower(word);
  if (kEmpty.contains(folded) || kTotals.contains(folded)) return {};
  std::string stem = stem_of(folded);
  for (const std::string& form : {folded, stem})
    if (auto meaning = kMeanings.find(form); meaning != kMeanings.end()) return meaning->second;
  return stem;
}

bool are_opposite(const AboutWords& one, const AboutWords& other) {
  static const std::vector<AboutWords> kSets = [] {
    std::vector<AboutWords> sets;
    for (const auto& line : word_lines("opposite"))
      for (AboutWords& set = sets.emplace_back(); std::string_view word : line)
        set.insert(about_word(word));
    return sets;
  }();
  return std::ranges::any_of(kSets, [&](const AboutWords& set) {
    bool has_one = false, has_other = false, has_same = false;
    for (const std::string& word : set) {
      const bool is_in_one = one.contains(word), is_in_other = other.contains(word);
      has_one |= is_in_one;
      has_other |= is_in_other;
      has_same |= is_in_one && is_in_other;
    }
    return has_one && has_other && !has_same;
  });
}

namespace {

/// By each word of a line, the number with which the line begins.
std::map<std::string_view, double> values_of(std::string_view section) {
  std::map<std::string_view, double> values;
  for (const auto& line : word_lines(section))
    for (std::string_view word : std::span(line).subspan(1))
      values.emplace(word, number_of<double>(line.front()).value_or(0));
  return values;
}

template <class Value>
std::optional<Value> value_at(const std::map<std::string_view, Value>& values,
                              std::string_view word) {
  const auto found = values.find(word);
  return found == values.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

std::optional<double> number_word(std::string_view word) {
  static const std::map<std::string_view, double> kNumbers = values_of("number");
  const std::string folded = lower(word);
  const size_t joint = std::min(folded.find('-'), folded.size());
  const std::string_view first = std::string_view(folded).substr(0, joint);
  const std::optional<double> number = value_at(kNumbers, first);
  if (!number || joint == folded.size()) return number;
  const std::optional<double> ones = value_at(kNumbers, folded.substr(joint + 1));
  const bool are_joined = ones && *number >= 20 && *ones >= 1 && *ones <= 9;
  return are_joined ? std::optional(*number + *ones) : std::nullopt;
}

std::optional<double> scale_word(std::string_view word) {
  static const std::map<std::string_view, double> kScales = values_of("scale");
  return value_at(kScales, word);
}

std::optional<Unit> unit_word(std::string_view word) {
  static const std::map<std::string_view, Unit> kUnits = [] {
    std::map<std::string_view, Unit> units;
    for (const auto& [section, of] : {std::pair("share", Unit::Of::share),
                                      {"time", Unit::Of::time},
                                      {"bytes", Unit::Of::bytes},
                                      {"money", Unit::Of::money}})
      for (const auto& [name, factor] : values_of(section)) units.emplace(name, Unit{of, factor});
    return units;
  }();
  return value_at(kUnits, lower(word));
}

}  // namespace xtrace
