#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "input/common/json_path.h"
#include "input/common/key_shape.h"

namespace xtrace {

/// Is the text one of the words, which `|` separates? A `*` at an end of one represents any text.
bool is_word(std::string_view text, std::string_view words);

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

/// Where a record has a value, with what it takes to look that up fast.
struct ColumnPath {
  json::Path path{};
  uint32_t hash = key_hash({});
  bool is_key = false;  ///< of the record, not of something in it

  constexpr ColumnPath() = default;
  constexpr explicit ColumnPath(json::Path place)
      : path(place),
        hash(key_hash(place)),
        is_key(!place.empty() && place.find_first_of("/|.*") == place.npos) {}
  consteval ColumnPath(const char* place) : ColumnPath(json::Path(place)) {}
  constexpr operator json::Path() const { return path; }
  constexpr bool empty() const { return path.empty(); }
};

struct RecordShape;

/// What a record of one kind holds, as conditions with a space between, all of which it meets:
///
///   path         a value there that is not null; a json::Path, so `|` separates places
///   path=a|b     one of these texts; a `*` at an end of one, or at both, stands for any text
///   key:known    the key, even with null
///   path:array   a list; likewise :object, :text and :number
///   path{a|b}    an object with no other keys; without a path, the record
///   !…           not so: no such value, none of these texts
///
/// Made of a literal while the program is compiled.
class RecordPattern {
 public:
  struct Condition : ColumnPath {
    enum class Asks : uint8_t { there, word, array, object, text, number, known, only_keys };
    Asks asks = Asks::there;
    bool is_negated = false;
    std::string_view words{};
    TextSigns signs{};  ///< of the words

    /// Does it take a value at `path` to meet it?
    constexpr bool needs_value() const { return !is_negated && path != "."; }
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

  /// The conditions (a bit each) that depend on more than the keys of a record and the kinds of
  /// their values. Nothing: no record with these keys matches.
  std::optional<uint16_t> open_conditions(const KeyShape& keys) const;

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
    Condition& one = conditions_.at(count_++);
    one.is_negated = condition.starts_with('!');
    read(condition.substr(one.is_negated ? 1 : 0), one);
    if (one.asks == Asks::word) one.signs = signs_of(one.words);
  }

  static consteval void read(std::string_view condition, Condition& one) {
    const size_t equals = condition.find('='), colon = condition.find(':'),
                 brace = condition.find('{');
    const json::Path place = condition.substr(0, std::min({equals, colon, brace}));
    static_cast<ColumnPath&>(one) = brace == 0 ? ColumnPath(".") : ColumnPath(place);
    if (condition.ends_with('}')) {
      one.asks = Asks::only_keys;
      one.words = condition.substr(brace + 1, condition.size() - brace - 2);
    } else if (equals != condition.npos) {
      one.asks = Asks::word;
      one.words = condition.substr(equals + 1);
    } else if (colon != condition.npos) {
      one.asks = kind_named(condition.substr(colon + 1));
    }
  }

  std::array<Condition, 11> conditions_{};  // at most 16: a bit each
  size_t count_ = 0;
};

/// The rows of a table that a record of this shape may match. `pattern_of(row)`: the pattern of
/// one; the table lasts as long as the program.
template <class Row, class PatternOf>
std::span<const KeyShape::OpenRow> open_rows(std::span<const Row> table, PatternOf pattern_of,
                                             const KeyShape& keys) {
  return keys.rows(table.data(), [&] {
    std::vector<KeyShape::OpenRow> open;
    for (size_t row = 0; row < table.size(); ++row)
      if (const auto conditions = std::invoke(pattern_of, table[row]).open_conditions(keys))
        open.push_back({static_cast<uint16_t>(row), *conditions});
    return open;
  });
}

/// Matches one record with the patterns of many formats, and finds what is in it. The keys of the
/// record are looked up by its shape, and what patterns ask for in their values is looked up once.
class RecordMatcher {
 public:
  RecordMatcher() = default;
  explicit RecordMatcher(json::element record) { set(record); }
  /// The next record.
  void set(json::element record);
  operator json::element() const { return record_; }

  /// As json::find() and the like of the record.
  bool find(std::string_view key, json::element& value) const {
    return find_hashed(key_hash(key), key, value);
  }
  std::string_view text_at(std::string_view key) const {
    json::element value;
    return find(key, value) ? json::text(value) : std::string_view{};
  }
  bool follow_path(json::Path path, json::element& value) const;
  bool follow(const ColumnPath& at, json::element& value) const {
    return at.is_key ? find_hashed(at.hash, at.path, value) && !value.is_null()
                     : !at.empty() && follow_path(at.path, value);
  }
  bool is_true(std::string_view key) const {
    json::element value;
    return find(key, value) && json::is_true(value);
  }

  /// nullptr: not known, and what is there is looked for.
  const KeyShape* keys() const { return keys_; }
  /// The shapes of the objects in a list of the record, each once; nullptr: the shape of one of
  /// them is not known, or it is no list of objects. Formats that ask one after another for the
  /// same list share the answer.
  const std::vector<const KeyShape*>* shapes_in(json::element list);

  /// The row of a table that it was found to match (find_shape).
  const RecordShape* shape() const { return shape_; }
  void keep_shape(const RecordShape* shape) { shape_ = shape; }

  bool matches(const RecordPattern& pattern) { return matches(pattern, 0xffff); }
  /// The same where the others of its conditions are met (RecordPattern::open_conditions).
  bool matches(const RecordPattern& pattern, uint16_t open) {
    size_t nth = 0;
    for (const Condition& condition : pattern.conditions())
      if ((open >> nth++ & 1) != 0 &&
          (is_other_word(condition) || meets(condition) == condition.is_negated))
        return false;
    return true;
  }

 private:
  using Condition = RecordPattern::Condition;
  struct Slot {
    uint32_t hash;
    json::Path path;
    json::element value;
  };
  static constexpr size_t kSlots = 64;

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
    return condition.asks == Condition::Asks::word && !condition.is_negated &&
           condition.hash == last_.hash && !condition.signs.may_have(last_.signs);
  }
  bool meets(const Condition& condition);
  const Found& look_up(const Condition& condition);
  /// Null values are there, too.
  bool find_hashed(uint32_t hash, std::string_view key, json::element& value) const {
    if (keys_ == nullptr) return json::find(record_, key, value);
    const size_t nth = keys_->find(hash, key);
    return nth != KeyShape::kNone && (value = values_[nth], true);
  }
  bool find_value(const Condition& condition, json::element& value);

  json::element record_;
  const RecordShape* shape_ = nullptr;
  const KeyShape* keys_ = nullptr;
  KeyValues values_;
  std::array<Slot, kSlots> deeper_;
  uint64_t has_deeper_ = 0, is_there_ = 0;  ///< by slot
  Found last_{};
  struct {
    const char* list = nullptr;  ///< the first key in it
    std::vector<const KeyShape*> shapes;
    bool are_known = false;
  } items_;
};

}  // namespace xtrace
