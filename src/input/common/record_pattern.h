#pragma once

#include <array>
#include <span>
#include <string_view>

#include "input/common/json_path.h"

namespace xtrace {

/// Is the text one of the words, which `|` separates? A `*` at an end of one stands for any text.
bool is_word(std::string_view text, std::string_view words);

/// FNV-1a, for a few bytes and while compiling.
constexpr uint32_t key_hash(std::string_view key) {
  uint32_t hash = 2166136261U;
  for (const char c : key) hash = (hash ^ static_cast<uint8_t>(c)) * 16777619U;
  return hash;
}

/// Two of 128 bits, of which most texts have others.
struct TextSigns {
  uint64_t low = 0, high = 0;

  static constexpr TextSigns of(std::string_view text) {
    if (text.empty()) return {1, 1};
    const auto at = [&](size_t i) { return size_t{static_cast<uint8_t>(text[i])}; };
    const size_t ends = text.size() * 7 + at(0) * 3 + at(text.size() - 1),
                 middle = text.size() * 5 + at(text.size() / 2) * 11 + at(text.size() / 4);
    return {uint64_t{1} << (ends & 63), uint64_t{1} << (middle & 63)};
  }
  constexpr void add(TextSigns other) { low |= other.low, high |= other.high; }
  /// May a text of these signs be one of those whose signs were added?
  constexpr bool may_have(TextSigns text) const {
    return (low & text.low) != 0 && (high & text.high) != 0;
  }
};

/// What a record of one kind holds, as conditions with a space between, all of which it meets:
///
///   path         a value there that is not null; a json::Path, so `|` separates places
///   !path        no such value
///   path=a|b     one of these texts; a `*` at an end of one, or at both, stands for any text
///   !path=a|b    none of these texts
///   key:known    the key, even with null
///   path:array   a list; likewise :object, :text and :number
///   path{a|b}    an object with no other keys; without a path, the record
///
/// Made of a literal while the program is compiled.
class RecordPattern {
 public:
  struct Condition {
    enum class Asks : uint8_t {
      there,
      absent,
      word,
      no_word,
      array,
      object,
      text,
      number,
      known,
      only_keys
    };
    Asks asks = Asks::there;
    json::Path path{};
    std::string_view words{};
    uint32_t hash = 0;    ///< of the path
    bool is_key = false;  ///< of the record, not of something in it
    TextSigns signs{};    ///< of the words

    /// Does it take a value at `path` to meet it?
    constexpr bool needs_value() const {
      return asks != Asks::absent && asks != Asks::no_word && path != ".";
    }
  };

  consteval RecordPattern(const char* conditions) {
    std::string_view left = conditions;
    while (!left.empty()) {
      const size_t end = left.find(' ');
      add(left.substr(0, end));
      left = end == left.npos ? std::string_view() : left.substr(end + 1);
    }
  }

  constexpr std::span<const Condition> conditions() const { return {conditions_.data(), count_}; }

 private:
  using Asks = Condition::Asks;

  /// All signs where a word may be a part of a text.
  static consteval TextSigns signs_of(std::string_view words) {
    TextSigns signs;
    while (true) {
      const size_t end = words.find('|');
      const std::string_view word = words.substr(0, end);
      if (word.starts_with('*') || word.ends_with('*')) return {~uint64_t{0}, ~uint64_t{0}};
      signs.add(TextSigns::of(word));
      if (end == words.npos) return signs;
      words.remove_prefix(end + 1);
    }
  }

  static consteval Asks kind_named(std::string_view name) {
    if (name == "array") return Asks::array;
    if (name == "object") return Asks::object;
    if (name == "text") return Asks::text;
    if (name == "number") return Asks::number;
    if (name == "known") return Asks::known;
    throw "a condition ends with a kind of value that is not known";
  }

  consteval void add(std::string_view condition) {
    read(condition);
    Condition& one = conditions_.at(count_++);
    one.hash = key_hash(one.path);
    one.is_key = one.path.find_first_of("/|.*") == one.path.npos;
    if (one.asks == Asks::word || one.asks == Asks::no_word) one.signs = signs_of(one.words);
  }

  consteval void read(std::string_view condition) {
    Condition& one = conditions_.at(count_);
    const size_t equals = condition.find('='), colon = condition.find(':'),
                 brace = condition.find('{');
    if (condition.ends_with('}')) {
      one = {Asks::only_keys, brace == 0 ? "." : condition.substr(0, brace),
             condition.substr(brace + 1, condition.size() - brace - 2)};
    } else if (condition.starts_with('!') && equals != condition.npos) {
      one = {Asks::no_word, condition.substr(1, equals - 1), condition.substr(equals + 1)};
    } else if (condition.starts_with('!')) {
      one = {Asks::absent, condition.substr(1), {}};
    } else if (equals != condition.npos) {
      one = {Asks::word, condition.substr(0, equals), condition.substr(equals + 1)};
    } else if (colon != condition.npos) {
      one = {kind_named(condition.substr(colon + 1)), condition.substr(0, colon), {}};
    } else {
      one = {Asks::there, condition, {}};
    }
  }

  std::array<Condition, 9> conditions_{};
  size_t count_ = 0;
};

/// Matches one record with the patterns of many formats. The keys of the record are indexed once,
/// and what is in their values is looked up once.
class RecordMatcher {
 public:
  explicit RecordMatcher(json::element record);

  bool matches(const RecordPattern& pattern) {
    for (const Condition& condition : pattern.conditions())
      if (is_other_word(condition) || !meets(condition)) return false;
    return true;
  }

 private:
  using Condition = RecordPattern::Condition;
  struct Slot {
    uint32_t hash;
    json::Path path;
    json::element value;
  };
  static constexpr size_t kSlots = 64, kMostKeys = 40;

  /// What is at the path that was asked for last; patterns in a row mostly ask for `type`.
  struct Found {
    uint32_t hash =
        0;  ///< of the path; the few hundred that formats ask for have hashes of their own
    json::element value{};
    std::string_view text{};
    TextSigns signs{};
    bool is_there = false;
  };

  /// Most patterns fail by the first word, which most of these ask for at the same key.
  bool is_other_word(const Condition& condition) const {
    return condition.asks == Condition::Asks::word && condition.hash == last_.hash &&
           !condition.signs.may_have(last_.signs);
  }
  bool meets(const Condition& condition);
  const Found& look_up(const Condition& condition);
  /// Null values are there, too.
  bool find_key(const Condition& condition, json::element& value) const;
  bool find_value(const Condition& condition, json::element& value);

  json::element record_;
  std::array<Slot, kSlots> keys_, deeper_;
  uint64_t has_key_ = 0, has_deeper_ = 0, is_there_ = 0;  ///< by slot
  bool is_indexed_ = true;                                ///< false: the record has too many keys
  Found last_{};
};

}  // namespace xtrace
