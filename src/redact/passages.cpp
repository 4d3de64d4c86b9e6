#include "redact/passages.h"

namespace xtrace {

Passages::Passages(const std::vector<std::string>& passages) {
  for (size_t i = 0; i < passages.size(); ++i) sorted_.push_back({passages[i], i});
  std::ranges::stable_sort(sorted_, {}, &Entry::text);
  for (size_t i = 0; i < sorted_.size(); ++i) {
    const std::string& text = sorted_[i].text;
    size_t before = i;
    while (before > 0 && !text.starts_with(sorted_[before - 1].text))
      before = sorted_[before - 1].shorter;
    sorted_[i].shorter = before;
    if (text.size() < 2)
      has_short_ = true;
    else
      begins_.set(first_two(text));
  }
}

}  // namespace xtrace
