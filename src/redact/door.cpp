#include "redact/door.h"

#include <algorithm>

#include "base/place_name.h"
#include "base/text.h"

namespace xtrace {

Door::Door(RedactPolicy policy, Level level, size_t max_text, FieldPolicy fields)
    : redactor_(std::move(policy)),
      fields_(std::move(fields)),
      level_(level),
      max_text_(max_text) {}

Door::~Door() = default;

bool Door::is_open(std::string_view name) const {
  return stands_at_revealed_ || revealed_names_.contains(name);
}

/// A text without what is beyond the clearance: before anything else, revealed or not. Valid until
/// the next one.
std::string_view Door::clear(std::string_view text) {
  if (cleared() == nullptr || text.empty()) return text;
  if (stands_at_withheld_) return WithheldTexts::kMark;
  return kept_ = cleared()->show(text);
}

Text Door::name(std::string_view text) {
  if (text.empty()) return {};
  if (cleared() != nullptr)
    if (std::string shown = cleared()->show_name(text); shown != text) {
      auto [known, is_new] = withheld_names_.try_emplace(std::string(text));
      if (is_new) known->second = Text(names_.emplace_back(redactor_.redact(shown)));
      return known->second;
    }
  if (is_open(text)) return composed(std::string(text));
  if (!shows_first_words() && redactor_.which() != Redaction::off)
    if (const size_t end = end_of_place(text); end < text.size()) return name(text.substr(0, end));
  if (std::unordered_map<std::string_view, Text>::const_iterator known = passed_.find(text);
      known != passed_.end())
    return known->second;
  std::string_view raw = names_.emplace_back(text);
  Text shown = redactor_.clean(raw) ? Text(raw) : Text(names_.emplace_back(redactor_.redact(raw)));
  passed_.emplace(raw, shown);
  return shown;
}

Text Door::name_once(std::string text) {
  if (cleared() != nullptr) text = cleared()->show_name(text);
  if (is_open(text)) return composed(std::move(text));
  return composed(redactor_.clean(text) ? std::move(text) : redactor_.redact(text));
}

Text Door::name_once(std::string text, uint8_t& is_clean) {
  if (cleared() != nullptr) return name_once(std::move(text));
  if (is_clean == 0) is_clean = redactor_.clean(text) ? 1 : 0;
  return is_clean != 0 ? composed(std::move(text)) : name_once(std::move(text));
}

tl::unexpected<Error> Door::pass(const Error& error) {
  return fail(error.exit, std::string(name_once(error.what).view()));
}

Text Door::composed(std::string text) {
  return Text(composed_.emplace_back(std::move(text)));
}

void Door::forget_composed(size_t mark) {
  composed_.resize(mark);
}

Text Door::payload(std::string_view text) {
  if (level_ == Level::basic || text.empty()) return {};
  text = clear(text);
  // Cut first and half a secret may no longer look like one; so cut last.
  return cut(stands_at_revealed_ ? std::string(text) : redactor_.redact(text));
}

Text Door::field(std::string_view key, std::string_view value) {
  if (level_ == Level::basic || value.empty()) return {};
  bool tells_nothing = value == "true" || value == "false" || value == "null";
  if (stands_at_revealed_ || redactor_.which() == Redaction::off || tells_nothing)
    return payload(value);
  switch (fields_.fate_of(key)) {
    case FieldPolicy::FieldAction::show: break;
    case FieldPolicy::FieldAction::mask: return composed(redactor_.mask(clear(value)));
    case FieldPolicy::FieldAction::drop: redactor_.mask(value); return {};
  }
  return payload(value);
}

Text Door::first_words(std::string_view text, size_t most) {
  if (!shows_first_words() || text.empty()) return {};
  text = clear(text);
  std::string words =
      fold_white_space(stands_at_revealed_ ? std::string(text) : redactor_.redact(text));
  size_t bytes = head_of_redacted(words, most);
  if (bytes < words.size()) words = words.substr(0, bytes) + "…";
  return composed(std::move(words));
}

Text Door::path(std::string_view path) {
  const Text shown = name(path);
  const bool is_at_home = !home_.empty() && shown.view().starts_with(home_) &&
                          shown.view().substr(home_.size()).starts_with('/');
  return is_at_home ? composed("~" + std::string(shown.view().substr(home_.size()))) : shown;
}

bool Door::shows_field(std::string_view key) const {
  return stands_at_revealed_ || redactor_.which() == Redaction::off ||
         fields_.fate_of(key) == FieldPolicy::FieldAction::show;
}

Text Door::cut(std::string redacted) {
  if (!stands_at_revealed_) redacted = fields_.with_short_code(std::move(redacted));
  size_t bytes = head_of_redacted(redacted, max_text_);
  if (bytes < redacted.size()) redacted = redacted.substr(0, bytes) + "…";
  return composed(std::move(redacted));
}

void Door::reveal(RecordPlace place) {
  revealed_places_.push_back(place);
}

void Door::reveal(std::string id, std::string_view label) {
  if (!label.empty()) revealed_names_.emplace(label);
  if (revealed_names_.insert(id).second) revealed_.push_back(std::move(id));
}

void Door::stand_at(RecordPlace place) {
  place_ = place;
  stands_at_revealed_ =
      std::find(revealed_places_.begin(), revealed_places_.end(), place) != revealed_places_.end();
  stands_at_withheld_ = cleared() != nullptr && cleared()->withholds_at(place);
}

void Door::keep(Audit& audit) {
  redactor_.on_removal([this, &audit](const Removal& one) {
    audit.entries.push_back({std::string(one.rule), one.number, one.characters, place_});
  });
}

void Door::stop_keeping() {
  redactor_.on_removal({});
}

}  // namespace xtrace
