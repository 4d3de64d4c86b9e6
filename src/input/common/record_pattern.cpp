#include "input/common/record_pattern.h"

#include <algorithm>

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

void RecordMatcher::set_unindexed(json::element record) {
  record_ = record;
  has_key_ = has_deeper_ = 0;
  last_ = {};
  shape_ = nullptr;
  is_indexed_ = false;
}

void RecordMatcher::set(json::element record) {
  set_unindexed(record);
  is_indexed_ = json::is_object(record);
  size_t keys = 0;
  json::fields(record, [&](std::string_view key, json::element value) {
    is_indexed_ = is_indexed_ && ++keys <= kMostKeys;
    if (!is_indexed_) return;
    const uint32_t hash = key_hash(key);
    size_t at = hash % kSlots;
    while ((has_key_ >> at & 1) != 0 && keys_[at].path != key) at = (at + 1) % kSlots;
    keys_[at] = {hash, key, value};  // the last of equal keys counts
    has_key_ |= uint64_t{1} << at;
  });
}

bool RecordMatcher::follow_path(json::Path path, json::element& value) const {
  while (!path.empty()) {
    const json::Path place = path.substr(0, path.find('|'));
    const std::string_view key = place.substr(0, place.find('/'));
    path.remove_prefix(std::min(place.size() + 1, path.size()));
    if (!is_indexed_ || key == "." || key == "*") {
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
