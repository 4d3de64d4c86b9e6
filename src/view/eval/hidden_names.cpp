#include "view/eval/hidden_names.h"

#include <string>
#include <vector>

#include "base/hidden_marker.h"

namespace xtrace {

namespace {

/// With `*` in place of each marker.
std::string with_wildcards(std::string_view value) {
  std::string known;
  while (true) {
    const size_t begin = value.find(kHiddenMarker);
    known += value.substr(0, begin);
    if (begin == value.npos) return known;
    known += '*';
    const size_t end = value.find(']', begin);
    if (end == value.npos) return known;
    value.remove_prefix(end + 1);
  }
}

/// Is there a text that fits both?
bool have_common_text(std::string_view a, std::string_view b) {
  std::vector<bool> next(b.size() + 2), here(b.size() + 2);
  for (size_t i = a.size() + 1; i-- > 0; next.swap(here)) {
    const bool is_end = i == a.size(), is_star = !is_end && a[i] == '*';
    for (size_t j = b.size() + 1; j-- > 0;) {
      const bool ends = j == b.size(), stars = !ends && b[j] == '*';
      bool fits = is_end && ends;
      if (is_star) fits |= next[j] || (!ends && here[j + 1]);
      if (stars) fits |= here[j + 1] || (!is_end && next[j]);
      if (!is_end && !ends && a[i] == b[j]) fits |= next[j + 1];
      here[j] = fits;
    }
  }
  return next[0];
}

}  // namespace

bool may_fit_wildcards(std::string_view pattern, std::string_view value) {
  return value.find(kHiddenMarker) != value.npos &&
         have_common_text(pattern, with_wildcards(value));
}

bool may_match_hidden(const Pattern& pattern, std::string_view value) {
  const size_t hidden = value.find(kHiddenMarker);
  return hidden != value.npos && pattern.may_match_behind(value.substr(0, hidden));
}

}  // namespace xtrace
