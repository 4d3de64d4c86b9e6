#include "base/pattern.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include "base/text.h"

namespace xtrace {

Result<Pattern> Pattern::compile(const std::string& text, Prefer prefer) {
  re2::RE2::Options options;
  options.set_longest_match(prefer == Prefer::longest);
  options.set_log_errors(false);
  Pattern pattern;
  pattern.text_ = text;
  pattern.compiled_ = std::make_shared<const re2::RE2>(text, options);
  if (pattern.compiled_->ok()) return pattern;
  return fail(Exit::usage, fmt::format("'{}' is not a valid pattern (RE2): {}", printable(text),
                                       printable(pattern.compiled_->error())));
}

bool Pattern::is_in(std::string_view text) const {
  return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *compiled_);
}

std::string_view Pattern::beginning(std::string_view text) const {
  re2::StringPiece match;
  compiled_->Match(re2::StringPiece(text.data(), text.size()), 0, text.size(),
                   re2::RE2::ANCHOR_START, &match, 1);
  return text.substr(0, match.size());
}

bool Pattern::may_match_behind(std::string_view beginning) const {
  constexpr int kLongest = 256;
  std::string least, most;
  // The range is that of texts that match from their beginning.
  const bool is_anchored = text_.starts_with('^') && text_.find('|') == text_.npos;
  if (!is_anchored || !compiled_->PossibleMatchRange(&least, &most, kLongest)) return true;
  return beginning <= most && (beginning >= least || least.starts_with(beginning));
}

std::string_view Pattern::next(std::string_view text, size_t& at) const {
  re2::StringPiece match;
  while (at <= text.size() && compiled_->Match(re2::StringPiece(text.data(), text.size()), at,
                                               text.size(), re2::RE2::UNANCHORED, &match, 1)) {
    size_t begin = static_cast<size_t>(match.data() - text.data());
    at = begin + std::max<size_t>(match.size(), 1);
    if (!match.empty()) return text.substr(begin, match.size());
  }
  at = text.size() + 1;
  return {};
}

bool fits_wildcards(std::string_view pattern, std::string_view text) {
  size_t p = 0, t = 0, star = std::string_view::npos, from = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p, ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++from;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

}  // namespace xtrace
