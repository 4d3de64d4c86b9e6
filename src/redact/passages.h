#pragma once

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace xtrace {

/// Passages that are looked for in texts, all of them at once: a text is gone through one time,
/// however many there are.
class Passages {
 public:
  explicit Passages(const std::vector<std::string>& passages);

  /// Calls `each(passage, at)` for each place where one begins, by their indices, until that is
  /// false.
  template <class Each>
  void find_in(std::string_view text, Each each) const {
    for (size_t at = 0; at <= text.size(); ++at) {
      const std::string_view rest = text.substr(at);
      if (!may_begin(rest)) continue;
      // All prefixes of the rest precede it in order, and each of them begins with the shorter
      // ones.
      const auto behind = std::ranges::upper_bound(sorted_, rest, {}, &Entry::text);
      for (size_t i = static_cast<size_t>(behind - sorted_.begin()); i-- > 0;
           i = sorted_[i].shorter)
        if (rest.starts_with(sorted_[i].text) && !each(sorted_[i].passage, at)) return;
    }
  }

 private:
  struct Entry {
    std::string text;
    size_t passage;
    size_t shorter = 0;  ///< index behind the next one before it with which it begins; 0: none
  };

  static size_t first_two(std::string_view text) {
    return static_cast<size_t>(static_cast<uint8_t>(text[0])) << 8 | static_cast<uint8_t>(text[1]);
  }
  bool may_begin(std::string_view rest) const {
    return has_short_ || (rest.size() >= 2 && begins_[first_two(rest)]);
  }

  std::vector<Entry> sorted_;
  std::bitset<1 << 16> begins_;  ///< by the first two bytes of passages
  bool has_short_ = false;       ///< is there one of fewer than two bytes?
};

}  // namespace xtrace
