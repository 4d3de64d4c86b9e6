#include "input/common/key_shape.h"

#include <algorithm>
#include <cstring>
#include <memory>

namespace xtrace {

namespace {

ValueKind kind_of(json::element value) {
  using Type = simdjson::dom::element_type;
  switch (value.type()) {
    case Type::NULL_VALUE: return ValueKind::null;
    case Type::BOOL: return ValueKind::boolean;
    case Type::STRING: return json::text(value).empty() ? ValueKind::empty_text : ValueKind::text;
    case Type::ARRAY: return ValueKind::array;
    case Type::OBJECT: return ValueKind::object;
    default: return ValueKind::number;
  }
}

/// Of a few bytes of a key, which is enough to tell shapes apart; equal ones are compared.
uint64_t sign_of(std::string_view key, ValueKind kind) {
  uint64_t first = 0, last = 0;
  const size_t bytes = std::min(key.size(), sizeof first);
  std::memcpy(&first, key.data(), bytes);
  std::memcpy(&last, key.data() + key.size() - bytes, bytes);
  return first ^ (last << 7 | last >> 57) ^ (key.size() << 8 | static_cast<uint64_t>(kind)) << 40;
}

/// The shapes that a thread knows. One that comes once, as those of objects with ids for keys do,
/// is not worth room.
class KnownShapes {
 public:
  const KeyShape* find(uint64_t sign, std::span<const std::string_view> keys,
                       std::span<const ValueKind> kinds) {
    size_t at = sign % kSlots;
    for (; slots_[at].shape != nullptr; at = (at + 1) % kSlots)
      if (slots_[at].sign == sign && slots_[at].shape->is_of(keys, kinds))
        return slots_[at].shape.get();
    uint64_t& met = met_[sign % kMet];
    if (met != sign) return met = sign, nullptr;
    if (count_ == kSlots / 2) return nullptr;
    ++count_;
    slots_[at] = {sign, std::make_unique<KeyShape>(keys, kinds)};
    return slots_[at].shape.get();
  }

  size_t count() const { return count_; }

 private:
  static constexpr size_t kSlots = 2048, kMet = 1024;
  struct Slot {
    uint64_t sign = 0;
    std::unique_ptr<KeyShape> shape;
  };
  std::vector<Slot> slots_ = std::vector<Slot>(kSlots);
  std::vector<uint64_t> met_ = std::vector<uint64_t>(kMet);
  size_t count_ = 0;
};

thread_local KnownShapes known_shapes;

}  // namespace

KeyShape::KeyShape(std::span<const std::string_view> keys, std::span<const ValueKind> kinds) {
  for (std::string_view key : keys) names_ += key;
  keys_.reserve(keys.size());
  for (size_t i = 0, begin = 0; i < keys.size(); begin += keys[i++].size()) {
    const std::string_view name = std::string_view(names_).substr(begin, keys[i].size());
    keys_.push_back({name, key_hash(name), kinds[i]});
    size_t at = keys_[i].hash % kSlots;
    while (slots_[at] != 0 && keys_[slots_[at] - 1U].name != name) at = (at + 1) % kSlots;
    slots_[at] = static_cast<uint8_t>(i + 1);  // the last of equal keys counts
  }
}

bool KeyShape::is_of(std::span<const std::string_view> keys,
                     std::span<const ValueKind> kinds) const {
  if (keys.size() != keys_.size()) return false;
  for (size_t i = 0; i < keys.size(); ++i)
    if (keys_[i].kind != kinds[i] || keys_[i].name != keys[i]) return false;
  return true;
}

void forget_shapes(size_t most) {
  if (known_shapes.count() > most) known_shapes = {};
}

const KeyShape* shape_of_keys(json::element record, KeyValues& values) {
  std::array<std::string_view, KeyShape::kMostKeys> keys;
  std::array<ValueKind, KeyShape::kMostKeys> kinds;
  simdjson::dom::object object;
  if (record.get_object().get(object)) return nullptr;
  size_t count = 0;
  uint64_t sign = 0;
  for (simdjson::dom::key_value_pair field : object) {
    if (count == KeyShape::kMostKeys) return nullptr;
    keys[count] = field.key;
    kinds[count] = kind_of(field.value);
    values[count] = field.value;
    sign = (sign ^ sign_of(keys[count], kinds[count])) * 0x9e3779b97f4a7c15U;
    sign ^= sign >> 29;
    ++count;
  }
  return known_shapes.find(sign, std::span(keys).first(count), std::span(kinds).first(count));
}

}  // namespace xtrace
