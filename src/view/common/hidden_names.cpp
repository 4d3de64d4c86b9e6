#include "view/common/hidden_names.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/number.h"
#include "base/text.h"

namespace xtrace {

namespace {

// Characters that no name has.
constexpr char32_t kOne = 1;          ///< matches one character
constexpr char32_t kAny = 2;          ///< matches any number of characters
constexpr uint32_t kMostOnes = 4096;  ///< of more, how many is not looked at

/// Its characters, so that one that takes several bytes is one.
std::u32string characters_of(std::string_view text) {
  std::u32string characters;
  while (!text.empty()) {
    const Decoded next = decode(text);
    characters += next.character;
    text.remove_prefix(next.length);
  }
  return characters;
}

/// How many characters a marker says that it hides: `[REDACTED:home:#0123456789abcdef.3]`.
std::optional<uint32_t> hidden_by(std::string_view marker) {
  const size_t dot = marker.rfind('.');
  if (marker.find(":#") == marker.npos || dot == marker.npos) return std::nullopt;
  return number_of<uint32_t>(marker.substr(dot + 1));
}

/// With kAny in place of each marker, or, where that says how much is hidden, with as many kOne.
std::u32string with_wildcards(std::string_view value) {
  std::u32string known;
  while (true) {
    const size_t begin = value.find(kHiddenMarker);
    known += characters_of(value.substr(0, begin));
    if (begin == value.npos) return known;
    value.remove_prefix(begin);
    const size_t end = value.find(']');
    const std::optional<uint32_t> count = hidden_by(value.substr(0, end));
    known += count && *count <= kMostOnes ? std::u32string(*count, kOne) : std::u32string(1, kAny);
    if (end == value.npos) return known;
    value.remove_prefix(end + 1);
  }
}

/// What is known of its beginning and end.
std::string_view before_markers(std::string_view name) {
  return name.substr(0, name.find(kHiddenMarker));
}
std::string_view behind_markers(std::string_view name) {
  const size_t marker = name.rfind(kHiddenMarker);
  if (marker == name.npos) return name;
  const size_t end = name.find(']', marker);
  return end == name.npos ? std::string_view() : name.substr(end + 1);
}

/// Is there a text that fits both?
bool have_common_text(std::u32string_view a, std::u32string_view b) {
  std::vector<bool> next(b.size() + 2), here(b.size() + 2);
  for (size_t i = a.size() + 1; i-- > 0; next.swap(here)) {
    const bool is_end = i == a.size(), is_star = !is_end && a[i] == kAny;
    for (size_t j = b.size() + 1; j-- > 0;) {
      const bool ends = j == b.size(), stars = !ends && b[j] == kAny;
      bool fits = is_end && ends;
      if (is_star) fits |= next[j] || (!ends && here[j + 1]);
      if (stars) fits |= here[j + 1] || (!is_end && next[j]);
      if (!is_end && !ends && !is_star && !stars && (a[i] == b[j] || a[i] == kOne || b[j] == kOne))
        fits |= next[j + 1];
      here[j] = fits;
    }
  }
  return next[0];
}

}  // namespace

bool may_be_same(std::string_view a, std::string_view b) {
  if (a == b) return true;
  if (!is_hidden(a) && !is_hidden(b)) return false;
  const std::string_view begins[] = {before_markers(a), before_markers(b)};
  const std::string_view ends[] = {behind_markers(a), behind_markers(b)};
  const size_t first = std::min(begins[0].size(), begins[1].size());
  const size_t last = std::min(ends[0].size(), ends[1].size());
  return begins[0].substr(0, first) == begins[1].substr(0, first) &&
         ends[0].substr(ends[0].size() - last) == ends[1].substr(ends[1].size() - last) &&
         have_common_text(with_wildcards(a), with_wildcards(b));
}

bool may_fit_wildcards(std::string_view pattern, std::string_view value) {
  if (!is_hidden(value)) return false;
  std::u32string wanted = characters_of(pattern);
  std::replace(wanted.begin(), wanted.end(), U'*', kAny);
  return have_common_text(wanted, with_wildcards(value));
}

bool may_match_hidden(const Pattern& pattern, std::string_view value) {
  const size_t hidden = value.find(kHiddenMarker);
  return hidden != value.npos && pattern.may_match_behind(value.substr(0, hidden));
}

}  // namespace xtrace
