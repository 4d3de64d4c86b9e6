#pragma once

#include <algorithm>
#include <initializer_list>
#include <span>
#include <string_view>

#include "base/one_of.h"
#include "base/shell_words.h"

namespace xtrace {

/// The words of a command, with `_` for quoted characters; the first is the program's.
using CommandWords = std::span<const std::string_view>;
using WordList = std::initializer_list<std::string_view>;

/// Programs that do something if one of `words` follows, or anything if there are none, but not
/// one of `except`.
struct ProgramRule {
  WordList programs;  ///< none: any
  WordList words = {};
  WordList except = {};
};

/// `is_word(word, one)`: is a word of the command that of a rule?
template <class IsWord>
bool applies_one(std::span<const ProgramRule> rules, CommandWords words, IsWord is_word) {
  const auto has = [&](const WordList& some) {
    return std::any_of(words.begin() + 1, words.end(), [&](std::string_view word) {
      return std::any_of(some.begin(), some.end(),
                         [&](std::string_view one) { return is_word(word, one); });
    });
  };
  return std::any_of(rules.begin(), rules.end(), [&](const ProgramRule& rule) {
    return (rule.programs.size() == 0 || is_one_of(program_name(words[0]), rule.programs)) &&
           (rule.words.size() == 0 || has(rule.words)) && !has(rule.except);
  });
}

}  // namespace xtrace
