#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "view/eval/claim_words.h"

namespace xtrace {

/// A number in a text, and what the text says of it.
struct NumberMention {
  std::string text;  ///< as it stands: `8%`, `three`
  double value = 0;  ///< in the unit's own base: seconds, shares of 1
  double bare = 0;   ///< without its unit
  double step = 0;   ///< half of what its last digit is worth; 0: it is exact
  Unit unit;
  AboutWords about;
  bool is_total = false;   ///< of parts: `149 tests in total`
  bool is_whole = false;   ///< of which another one is a part: the 149 of `2 of 149`
  bool is_weak = false;    ///< `one`, `no`: it may be no number at all
  bool is_length = false;  ///< of a list, whose items nobody counted
  bool is_keyed = false;   ///< a key of JSON says what it is of, and need not say its unit
  bool is_denied = false;  ///< its sentence denies something: `did not pass`
  size_t group = 0;        ///< equal for those of one sentence
};

/// A name, an id or a quotation.
struct NameMention {
  std::string text;
  /// What is said of it by the word behind it. For one that begins a sentence, and may be any
  /// word: only beside another one of which the same is said is it known to be a name.
  std::string does;
  bool may_be_word = false;
  bool is_plain = false;  ///< a word, and no id or quotation
  size_t group = 0;       ///< as that of numbers
};

/// What a text names that can be looked up in others.
struct Mentions {
  std::vector<NumberMention> numbers;
  std::vector<NameMention> names;
  /// Of the sentences that name none of these and deny nothing, what they are about.
  std::vector<AboutWords> sentences;
};

/// Of a text as people and models write it.
Mentions mentions_of(std::string_view text);

/// What tools and prompts told, to hold claims against. JSON is read as such, wherever it stands.
class ToldFacts {
 public:
  void add(const std::string& piece);

  enum class Answer : uint8_t { told, not_told, unknown };
  Answer has(const NumberMention& claimed) const;
  Answer has(const NameMention& claimed) const;
  /// Told where one sentence has all words of it, three at least; else unknown.
  Answer has(const AboutWords& sentence) const;

 private:
  void add_prose(std::string_view text);
  bool add_json(const std::string& text);
  bool is_sum(const NumberMention& claimed) const;
  /// What follows from several numbers that are stated together: a share of them, or a sum.
  Answer derived(const NumberMention& claimed) const;

  std::vector<NumberMention> numbers_;
  std::vector<NameMention> names_;
  std::vector<AboutWords> sentences_;
  std::string text_;  ///< folded
  size_t groups_ = 0;
};

}  // namespace xtrace
