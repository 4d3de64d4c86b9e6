#include "view/eval/claim_words.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/lower.h"
#include "base/one_of.h"
#include "base/parts.h"

namespace xtrace {

namespace {

constexpr std::string_view kSilent[] = {
    "a",        "about",  "all",      "also",   "an",       "and",        "are",   "as",
    "at",       "be",     "been",     "but",    "by",       "come",       "comes", "each",
    "for",      "from",   "get",      "gets",   "had",      "has",        "have",  "here",
    "in",       "into",   "is",       "it",     "its",      "just",       "made",  "make",
    "most",     "much",   "no",       "not",    "of",       "off",        "on",    "one",
    "only",     "or",     "our",      "out",    "over",     "so",         "some",  "such",
    "than",     "that",   "the",      "their",  "them",     "then",       "there", "these",
    "they",     "this",   "those",    "to",     "up",       "us",         "was",   "we",
    "were",     "what",   "when",     "which",  "while",    "who",        "will",  "with",
    "would",    "report", "reported", "total",  "together", "altogether", "sum",   "overall",
    "combined", "value",  "result",   "results"};

/// Words of one meaning, the first of them for all.
constexpr std::string_view kSame[] = {
    "pass succeed success successful successfully successe ok green",
    "fail failure broken unsuccessful red",
    "skip ignore omit",
    "time latency duration take took elapse last lasted runtime",
    "max maximum peak highest maximal",
    "min minimum lowest minimal",
    "mean average avg",
    "median p50",
    "add addition insertion insert",
    "delete deletion remove removal",
    "change changed",
    "stop stopped",
    "run running",
    "write written wrote",
    "meet meeting met",
    "approve approval",
    "reject rejection declin",
    "warn warning",
};

/// Sets of words of which a thing can be one alone.
constexpr std::string_view kOpposites[] = {
    "pass fail skip flaky retry",
    "run stop",
    "open close",
    "add delete",
    "read write reject",
    "approve reject",
    "max min mean median p75 p90 p95 p99",
    "critical high medium low",
    "warn error",
    "gross net",
    "input output",
    "increase decrease",
};

/// The words of a row.
std::vector<std::string> words_of(std::string_view row) {
  std::vector<std::string> words;
  for_each_part(row, ' ', [&](std::string_view word) { words.emplace_back(word); });
  return words;
}

bool is_consonant(char letter) {
  return !is_one_of(std::string_view(&letter, 1), {"a", "e", "i", "o", "u"});
}

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
    size_t size = word.size();
    if (size > 3 && word[size - 1] == word[size - 2] && is_consonant(word.back()) &&
        !is_one_of(std::string_view(word).substr(size - 1), {"s", "l"}))
      drop(1);
  }
  if (ends("e", 3)) drop(1);
  return word;
}

}  // namespace

std::string about_word(std::string_view word) {
  std::string folded = lower(word);
  if (std::find(std::begin(kSilent), std::end(kSilent), folded) != std::end(kSilent)) return {};
  // By its stem, the stem of the row's first word.
  static const std::map<std::string, std::string> kMeanings = [] {
    std::map<std::string, std::string> meanings;
    for (std::string_view row : kSame)
      for (std::vector<std::string> words = words_of(row); const std::string& one : words)
        for (const std::string& form : {one, stem_of(one)})
          meanings.emplace(form, stem_of(words.front()));
    return meanings;
  }();
  std::string stem = stem_of(folded);
  for (const std::string& form : {folded, stem})
    if (auto meaning = kMeanings.find(form); meaning != kMeanings.end()) return meaning->second;
  return stem;
}

namespace {

/// The members of a set of opposites that are among the words.
std::vector<std::string> members(const std::vector<std::string>& of, const AboutWords& words) {
  std::vector<std::string> found;
  for (const std::string& one : of)
    if (words.contains(one)) found.push_back(one);
  return found;
}

}  // namespace

bool are_opposite(const AboutWords& claimed, const AboutWords& told) {
  static const std::vector<std::vector<std::string>> kSets = [] {
    std::vector<std::vector<std::string>> sets;
    for (std::string_view row : kOpposites) {
      std::vector<std::string>& set = sets.emplace_back();
      for (const std::string& word : words_of(row)) set.push_back(about_word(word));
    }
    return sets;
  }();
  for (const auto& set : kSets) {
    std::vector<std::string> a = members(set, claimed), b = members(set, told);
    if (a.empty() || b.empty()) continue;
    bool shares = std::any_of(a.begin(), a.end(), [&](const std::string& one) {
      return std::find(b.begin(), b.end(), one) != b.end();
    });
    if (!shares) return true;
  }
  return false;
}

bool are_parts(const AboutWords& one, const AboutWords& other) {
  return are_opposite(one, other);
}

std::optional<double> number_word(std::string_view word) {
  constexpr std::string_view kOnes[] = {"zero",    "one",     "two",       "three",    "four",
                                        "five",    "six",     "seven",     "eight",    "nine",
                                        "ten",     "eleven",  "twelve",    "thirteen", "fourteen",
                                        "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
  constexpr std::string_view kTens[] = {"twenty", "thirty",  "forty",  "fifty",
                                        "sixty",  "seventy", "eighty", "ninety"};
  std::string folded = lower(word);
  for (size_t i = 0; i < std::size(kOnes); ++i)
    if (folded == kOnes[i]) return static_cast<double>(i);
  if (folded == "dozen") return 12;
  for (size_t i = 0; i < std::size(kTens); ++i) {
    double tens = static_cast<double>((i + 2) * 10);
    if (folded == kTens[i]) return tens;
    if (folded.size() <= kTens[i].size() + 1 || !folded.starts_with(kTens[i]) ||
        folded[kTens[i].size()] != '-')
      continue;
    for (size_t k = 1; k < 10; ++k)
      if (std::string_view(folded).substr(kTens[i].size() + 1) == kOnes[k])
        return tens + static_cast<double>(k);
  }
  return std::nullopt;
}

std::optional<double> scale_word(std::string_view word) {
  if (is_one_of(word, {"k", "K", "thousand"})) return 1e3;
  if (is_one_of(word, {"M", "million", "mn"})) return 1e6;
  if (is_one_of(word, {"bn", "billion"})) return 1e9;
  if (word == "hundred") return 100;
  return std::nullopt;
}

std::optional<Unit> unit_word(std::string_view word) {
  struct Known {
    std::string_view word;
    Unit::Of of;
    double factor;
  };
  constexpr double kKibi = 1024;
  static constexpr Known kUnits[] = {
      {"%", Unit::Of::share, 0.01},
      {"percent", Unit::Of::share, 0.01},
      {"pct", Unit::Of::share, 0.01},
      {"us", Unit::Of::time, 1e-6},
      {"µs", Unit::Of::time, 1e-6},
      {"ms", Unit::Of::time, 1e-3},
      {"millis", Unit::Of::time, 1e-3},
      {"millisecond", Unit::Of::time, 1e-3},
      {"milliseconds", Unit::Of::time, 1e-3},
      {"s", Unit::Of::time, 1},
      {"sec", Unit::Of::time, 1},
      {"secs", Unit::Of::time, 1},
      {"second", Unit::Of::time, 1},
      {"seconds", Unit::Of::time, 1},
      {"min", Unit::Of::time, 60},
      {"mins", Unit::Of::time, 60},
      {"minute", Unit::Of::time, 60},
      {"minutes", Unit::Of::time, 60},
      {"h", Unit::Of::time, 3600},
      {"hour", Unit::Of::time, 3600},
      {"hours", Unit::Of::time, 3600},
      {"day", Unit::Of::time, 86400},
      {"days", Unit::Of::time, 86400},
      {"byte", Unit::Of::bytes, 1},
      {"bytes", Unit::Of::bytes, 1},
      {"kb", Unit::Of::bytes, 1e3},
      {"mb", Unit::Of::bytes, 1e6},
      {"gb", Unit::Of::bytes, 1e9},
      {"tb", Unit::Of::bytes, 1e12},
      {"kib", Unit::Of::bytes, kKibi},
      {"mib", Unit::Of::bytes, kKibi * kKibi},
      {"gib", Unit::Of::bytes, kKibi * kKibi * kKibi},
      {"$", Unit::Of::money, 1},
      {"usd", Unit::Of::money, 1},
      {"dollar", Unit::Of::money, 1},
      {"dollars", Unit::Of::money, 1},
      {"€", Unit::Of::money, 1},
      {"eur", Unit::Of::money, 1},
      {"euro", Unit::Of::money, 1},
      {"euros", Unit::Of::money, 1},
      {"cent", Unit::Of::money, 0.01},
      {"cents", Unit::Of::money, 0.01},
  };
  std::string folded = lower(word);
  for (const Known& known : kUnits)
    if (folded == known.word) return Unit{known.of, known.factor};
  return std::nullopt;
}

}  // namespace xtrace
