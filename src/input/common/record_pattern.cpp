#include "input/common/record_pattern.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace xtrace {

namespace {

bool fits_word(std::string_view text, std::string_view word) {
  const bool begins_open = word.starts_with('*'), ends_open = word.ends_with('*');
  if (begins_open) word.remove_prefix(1);
  if (ends_open && !word.empty()) word.remove_suffix(1);
  if (begins_open && ends_open) return text.find(word) != std::string_view::npos;
  return begins_open ? text.ends_with(word) : ends_open ? text.starts_with(word) : text == word;
}

bool has_only_keys(json::element object, std::string_view keys) {
  bool is_other = !json::is_object(object);
  json::fields(object,
               [&](std::string_view key, json::element) { is_other |= !is_word(key, keys); });
  return !is_other;
}

}  // namespace

bool is_word(std::string_view text, std::string_view words) {
  if (words.empty()) return false;
  for (size_t begin = 0, at = 0;; ++at) {
    if (at < words.size() && words[at] != '|') continue;
    if (fits_word(text, words.substr(begin, at - begin))) return true;
    if (at == words.size()) return false;
    begin = at + 1;
  }
}

std::optional<uint16_t> RecordPattern::open_conditions(const KeyShape& keys) const {
  const auto has_begin_of = [&](json::Path path) {
    while (!path.empty()) {
      const json::Path place = path.substr(0, path.find('|'));
      path.remove_prefix(std::min(place.size() + 1, path.size()));
      const std::string_view key = place.substr(0, place.find('/'));
      if (key == "." || key == "*" || keys.find(key_hash(key), key) != KeyShape::kNone) return true;
    }
    return false;
  };
  // Is the condition met, by the key and its kind alone? Nothing: it depends on the value.
  const auto is_met = [&](const Condition& one) -> std::optional<bool> {
    if (!one.is_key && one.asks != Asks::known)
      return has_begin_of(one.path) ? std::nullopt : std::optional(false);
    const size_t nth = keys.find(one.hash, one.path);
    if (one.asks == Asks::known) return nth != KeyShape::kNone;
    if (nth == KeyShape::kNone || keys.kind(nth) == ValueKind::null) return false;
    switch (one.asks) {
      case Asks::array: return keys.kind(nth) == ValueKind::array;
      case Asks::object: return keys.kind(nth) == ValueKind::object;
      case Asks::number: return keys.kind(nth) == ValueKind::number;
      case Asks::text: return keys.kind(nth) == ValueKind::text;
      case Asks::there: return true;
      default: return std::nullopt;
    }
  };
  uint16_t open = 0;
  for (size_t nth = 0; nth < count_; ++nth) {
    const std::optional<bool> met = is_met(conditions_[nth]);
    if (met == conditions_[nth].is_negated) return std::nullopt;
    if (!met) open |= static_cast<uint16_t>(1U << nth);
  }
  return open;
}

void RecordMatcher::set(json::element record) {
  record_ = record;
  has_deeper_ = 0;
  last_ = {};
  shape_ = nullptr;
  items_.list = nullptr;
  keys_ = shape_of_keys(record, values_);
}

const std::vector<const KeyShape*>* RecordMatcher::shapes_in(json::element list) {
  const char* first = nullptr;
  if (json::element item; json::is_array(list) && !list.at(0).get(item))
    if (json::object object; !item.get_object().get(object) && object.begin() != object.end())
      first = object.begin().key().data();
  if (first == nullptr) return nullptr;
  if (items_.list != first) {
    items_ = {first, std::move(items_.shapes), true};
    items_.shapes.clear();
    KeyValues values;
    json::items(list, [&](json::element item) {
      const KeyShape* shape = shape_of_keys(item, values);
      items_.are_known = items_.are_known && shape != nullptr;
      if (std::ranges::find(items_.shapes, shape) == items_.shapes.end())
        items_.shapes.push_back(shape);
    });
  }
  return items_.are_known ? &items_.shapes : nullptr;
}

bool RecordMatcher::follow_path(json::Path path, json::element& value) const {
  while (!path.empty()) {
    const json::Path place = path.substr(0, path.find('|'));
    const std::string_view key = place.substr(0, place.find('/'));
    path.remove_prefix(std::min(place.size() + 1, path.size()));
    if (keys_ == nullptr || key == "." || key == "*") {
      if (json::follow(record_, place, value)) return true;
    } else if (find(key, value)) {
      const bool is_there = key.size() == place.size()
                                ? !value.is_null()
                                : json::follow(value, place.substr(key.size() + 1), value);
      if (is_there) return true;
    }
  }
  return false;
}

bool RecordMatcher::find_value(const Condition& condition, json::element& value) {
  if (condition.is_key) return follow(condition, value);
  const size_t at = condition.hash % kSlots;
  const uint64_t bit = uint64_t{1} << at;
  Slot& slot = deeper_[at];
  if ((has_deeper_ & bit) == 0 || slot.path != condition.path) {
    slot = {condition.hash, condition.path, {}};
    const bool is_there = follow_path(condition.path, slot.value);
    has_deeper_ |= bit;
    is_there_ = is_there ? is_there_ | bit : is_there_ & ~bit;
  }
  value = slot.value;
  return (is_there_ & bit) != 0;
}

const RecordMatcher::Found& RecordMatcher::look_up(const Condition& condition) {
  if (last_.hash == condition.hash) return last_;
  last_ = {condition.hash, {}, {}, {}, false};
  last_.is_there = find_value(condition, last_.value);
  if (last_.is_there) last_.text = json::text(last_.value);
  last_.signs = TextSigns::of(last_.text);
  return last_;
}

bool RecordMatcher::meets(const Condition& condition) {
  using Asks = Condition::Asks;
  if (condition.asks == Asks::known) {
    json::element value;
    return find_hashed(condition.hash, condition.path, value);
  }
  const Found& found = look_up(condition);
  switch (condition.asks) {
    case Asks::there: return found.is_there;
    case Asks::word:
      return found.is_there && condition.signs.may_have(found.signs) &&
             is_word(found.text, condition.words);
    case Asks::array: return found.is_there && json::is_array(found.value);
    case Asks::object: return found.is_there && json::is_object(found.value);
    case Asks::text: return !found.text.empty();
    case Asks::number: return found.is_there && json::is_number(found.value);
    case Asks::only_keys: return found.is_there && has_only_keys(found.value, condition.words);
    case Asks::known: break;
  }
  return false;
}

}  // namespace xtrace
