#include "input/common/record_pattern.h"

#include <algorithm>

#include "base/parts.h"

namespace xtrace {

namespace {

bool fits_word(std::string_view text, std::string_view word) {
  const bool begins_open = word.starts_with('*'), ends_open = word.ends_with('*');
  if (begins_open) word.remove_prefix(1);
  if (ends_open && !word.empty()) word.remove_suffix(1);
  if (begins_open && ends_open) return text.find(word) != std::string_view::npos;
  return begins_open ? text.ends_with(word) : ends_open ? text.starts_with(word) : text == word;
}

/// Is the text one of the words, which `|` separates?
bool is_word(std::string_view text, std::string_view words) {
  bool found = false;
  for_each_part(words, '|', [&](std::string_view word) { found |= fits_word(text, word); });
  return found;
}

bool has_only_keys(json::element object, std::string_view keys) {
  bool is_other = !json::is_object(object);
  json::fields(object,
               [&](std::string_view key, json::element) { is_other |= !is_word(key, keys); });
  return !is_other;
}

}  // namespace

bool RecordMatcher::matches(const RecordPattern& pattern) {
  return std::ranges::all_of(pattern.conditions(),
                             [&](const auto& condition) { return meets(condition); });
}

bool RecordMatcher::meets(const RecordPattern::Condition& condition) {
  using Asks = RecordPattern::Condition::Asks;
  if (path_ != condition.path) {
    path_ = condition.path;
    is_found_ = json::follow(record_, path_, value_);
  }
  switch (condition.asks) {
    case Asks::there: return is_found_;
    case Asks::absent: return !is_found_;
    case Asks::word: return is_found_ && is_word(json::text(value_), condition.words);
    case Asks::no_word: return !is_found_ || !is_word(json::text(value_), condition.words);
    case Asks::array: return is_found_ && json::is_array(value_);
    case Asks::object: return is_found_ && json::is_object(value_);
    case Asks::text: return is_found_ && !json::text(value_).empty();
    case Asks::number: return is_found_ && json::is_number(value_);
    case Asks::known: return is_found_ || json::find(record_, path_, value_);
    case Asks::only_keys: return is_found_ && has_only_keys(value_, condition.words);
  }
  return false;
}

}  // namespace xtrace
