#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "input/common/json.h"

namespace xtrace {

/// FNV-1a, for a few bytes and while compiling. `begun`: the hash of what precedes the byte.
constexpr uint32_t key_hash(char byte, uint32_t begun) {
  return (begun ^ static_cast<uint8_t>(byte)) * 16777619U;
}
constexpr uint32_t key_hash(std::string_view key) {
  uint32_t hash = 2166136261U;
  for (const char c : key) hash = key_hash(c, hash);
  return hash;
}

enum class ValueKind : uint8_t { null, boolean, number, text, empty_text, array, object };

/// The keys of a record in their order, and of what kind each value is. Most records of a log have
/// one of a few shapes, so what follows from a shape alone is found out once for all of these.
class KeyShape {
 public:
  static constexpr size_t kMostKeys = 40;
  static constexpr size_t kNone = kMostKeys;

  KeyShape(std::span<const std::string_view> keys, std::span<const ValueKind> kinds);
  KeyShape(const KeyShape&) = delete;
  KeyShape& operator=(const KeyShape&) = delete;

  bool is_of(std::span<const std::string_view> keys, std::span<const ValueKind> kinds) const;

  /// Which key it is, the last of equal ones as for json::find(); kNone: it is not there.
  /// `hash`: its key_hash().
  size_t find(uint32_t hash, std::string_view key) const {
    for (size_t at = hash % kSlots; slots_[at] != 0; at = (at + 1) % kSlots)
      if (const Key& one = keys_[slots_[at] - 1U]; one.hash == hash && one.name == key)
        return slots_[at] - 1U;
    return kNone;
  }
  ValueKind kind(size_t nth) const { return keys_[nth].kind; }
  size_t size() const { return keys_.size(); }
  std::string_view key(size_t nth) const { return keys_[nth].name; }

  /// A row of a table of patterns that a record of this shape may match.
  struct OpenRow {
    uint16_t row;
    uint16_t conditions;  ///< RecordPattern::open_conditions()
  };
  /// Those rows of a table, which lasts as long as the program. `judge()` finds them, and is asked
  /// once.
  template <class Judge>
  std::span<const OpenRow> rows(const void* table, Judge judge) const {
    for (const auto& [known, rows] : rows_)
      if (known == table) return rows;
    return rows_.emplace_back(table, judge()).second;
  }

  /// The numbers of the formats that a record of this shape may be of; `judge(shape)` finds them,
  /// and is asked once.
  template <class Judge>
  const std::vector<uint8_t>& formats(Judge judge) const {
    if (!is_judged_) formats_ = judge(*this), is_judged_ = true;
    return formats_;
  }

 private:
  struct Key {
    std::string_view name;  ///< in names_
    uint32_t hash;
    ValueKind kind;
  };
  static constexpr size_t kSlots = 64;
  static_assert(kMostKeys < kSlots);

  std::string names_;
  std::vector<Key> keys_;
  std::array<uint8_t, kSlots> slots_{};  ///< one more than the number of a key; 0: free
  mutable std::vector<std::pair<const void*, std::vector<OpenRow>>> rows_;  ///< by table; few
  mutable std::vector<uint8_t> formats_;
  mutable bool is_judged_ = false;
};

/// The values of a record, by the number of their key in its shape.
using KeyValues = std::array<json::element, KeyShape::kMostKeys>;

/// The shape of an object, and its values. nullptr: it is no object, has too many keys, or has a
/// shape that this thread met for the first time or has no room for.
const KeyShape* shape_of_keys(json::element record, KeyValues& values);
/// Forgets the shapes that this thread knows if they are more than `most`. None may be in use.
void forget_shapes(size_t most);

}  // namespace xtrace
