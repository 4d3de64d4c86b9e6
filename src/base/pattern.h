#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace re2 {
class RE2;
}

namespace xtrace {

/// A regular expression as a user wrote it, in RE2's words.
class Pattern {
 public:
  /// Which of several matches at one place counts: that of the first alternative, or the longest.
  enum class Prefer : uint8_t { first, longest };
  /// Exit::usage says what is wrong with it.
  static Result<Pattern> compile(const std::string& text, Prefer prefer = Prefer::first);
  /// Is it found anywhere in there?
  bool is_in(std::string_view text) const;
  /// The match that the text begins with; empty: it begins with none.
  std::string_view beginning(std::string_view text) const;
  /// Could it be found in a text that begins so?
  bool may_match_behind(std::string_view beginning) const;
  /// The next match from `at` on, and `at` behind it; empty: there is no more.
  std::string_view next(std::string_view text, size_t& at) const;
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::shared_ptr<const re2::RE2> compiled_;
};

/// Does `text` match all of `pattern`, in which `*` matches anything, also nothing?
bool fits_wildcards(std::string_view pattern, std::string_view text);

}  // namespace xtrace
