#pragma once

#include <array>
#include <span>
#include <string_view>

#include "input/common/json_path.h"

namespace xtrace {

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

  static consteval Asks kind_named(std::string_view name) {
    if (name == "array") return Asks::array;
    if (name == "object") return Asks::object;
    if (name == "text") return Asks::text;
    if (name == "number") return Asks::number;
    if (name == "known") return Asks::known;
    throw "a condition ends with a kind of value that is not known";
  }

  consteval void add(std::string_view condition) {
    Condition& one = conditions_.at(count_++);
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

/// Matches one record with many patterns. Those of a format mostly begin with the same path, whose
/// value is looked up once.
class RecordMatcher {
 public:
  explicit RecordMatcher(json::element record) : record_(record) {}

  bool matches(const RecordPattern& pattern);

 private:
  bool meets(const RecordPattern::Condition& condition);

  json::element record_, value_;
  json::Path path_;  ///< that `value_` was looked up at
  bool is_found_ = false;
};

}  // namespace xtrace
