#include "base/nearest.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/digits.h"
#include "base/text.h"

namespace xtrace {

namespace {

/// Keystrokes between two words, letter case ignored: to insert, to drop, to replace a letter, or
/// to swap two neighbours (optimal string alignment).
size_t keystrokes(std::string_view a, std::string_view b) {
  std::vector<size_t> before_last, last, row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    before_last = std::exchange(last, row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      char x = lower(a[i - 1]), y = lower(b[j - 1]);
      row[j] = std::min({last[j - 1] + (x == y ? 0u : 1u), last[j] + 1, row[j - 1] + 1});
      bool swapped = i > 1 && j > 1 && x == lower(b[j - 2]) && lower(a[i - 2]) == y;
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row.back();
}

constexpr size_t kFar = SIZE_MAX;

/// Smaller is nearer; kFar when nobody would have meant it.
size_t distance(std::string_view word, std::string_view name) {
  // Dashes of options are no part of the name: with them, `--suite` would be near `--quiet`.
  while (word.starts_with('-') && name.starts_with('-')) {
    word.remove_prefix(1);
    name.remove_prefix(1);
  }
  if (word.empty()) return kFar;
  if (name.find(word) != std::string_view::npos) return 0;
  // A name much longer than what was typed is not a typing mistake.
  if (word.size() > 64 || name.size() > 64) return kFar;
  size_t strokes = keystrokes(word, name);
  return strokes <= std::max<size_t>(1, word.size() / 3) ? strokes : kFar;
}

}  // namespace

std::vector<std::string_view> nearest(std::string_view word,
                                      std::span<const std::string_view> known, size_t most) {
  std::vector<std::pair<size_t, std::string_view>> ranked;
  for (std::string_view name : known)
    if (size_t far = distance(word, name); far != kFar) ranked.emplace_back(far, name);
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::string_view> names;
  // Beside a nearer name, nobody meant one that is farther away.
  for (size_t i = 0; i < ranked.size() && i < most && ranked[i].first == ranked[0].first; ++i)
    names.push_back(ranked[i].second);
  return names;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> known) {
  std::vector<std::string_view> names = nearest(word, known);
  if (names.empty()) return {};
  std::string question = "; did you mean ";
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) question += i + 1 == names.size() ? " or " : ", ";
    question += "'" + printable(names[i]) + "'";
  }
  return question + "?";
}

}  // namespace xtrace
