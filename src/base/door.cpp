#include "base/door.h"

#include "base/text.h"

namespace xtrace {

namespace {

/// Half a replacement tells neither what was there nor that it was replaced: where `cut` falls into
/// one, the place where that begins.
size_t outside_replacements(std::string_view redacted, size_t cut) {
  if (cut == 0) return cut;
  size_t begin = redacted.rfind("[REDACTED:", cut - 1);
  if (begin == std::string_view::npos) return cut;
  size_t end = redacted.find_first_not_of(
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_:", begin + 1);
  bool whole = end != std::string_view::npos && redacted[end] == ']';
  return whole && cut <= end ? begin : cut;
}

}  // namespace

Text Door::name(std::string_view text) {
  if (text.empty()) return {};
  if (std::unordered_map<std::string_view, Text>::const_iterator known = passed_.find(text);
      known != passed_.end())
    return known->second;
  std::string_view raw = names_.emplace_back(text);
  Text shown = redactor_.clean(raw) ? Text(raw) : Text(names_.emplace_back(redactor_.redact(raw)));
  passed_.emplace(raw, shown);
  return shown;
}

Text Door::name_once(std::string text) {
  return composed(redactor_.clean(text) ? std::move(text) : redactor_.redact(text));
}

Text Door::payload(std::string_view text) {
  if (level_ == Level::basic || text.empty()) return {};
  // Cut first and half a secret may no longer look like one; so cut last.
  std::string redacted = redactor_.redact(text);
  size_t bytes = 0, characters = 0;
  while (bytes < redacted.size() && characters < max_text_) {
    bytes += decode(std::string_view(redacted).substr(bytes)).length;
    ++characters;
  }
  if (bytes < redacted.size())
    redacted = redacted.substr(0, outside_replacements(redacted, bytes)) + "…";
  return composed(std::move(redacted));
}

}  // namespace xtrace
