#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "redact/redact.h"

namespace re2 {
class RE2;
}

namespace xtrace {

/// What the values of fields are called that are hidden because of their key.
inline constexpr std::string_view kFieldRule = "field";

/// Shorter keywords are in most texts.
inline constexpr size_t kShortestKeyword = 3;

/// A rule that users bring along, as they wrote it.
struct CustomRule {
  /// What is left alone though it matches: what one of `regexes` is found in, or what holds one of
  /// `stopwords` in any case; where `needs_both`, only what does both.
  struct Allowed {
    enum class Target : uint8_t { secret, match, line };
    std::vector<std::string> regexes, stopwords;
    Target target = Target::secret;
    bool needs_both = false;
  };
  static constexpr int kFirstGroup = -1;  ///< the first group that is not empty, if there is one

  std::string name;
  std::string regex;                  ///< as RE2 takes it
  int group = 0;                      ///< the part that is replaced; 0: all of the match
  std::vector<std::string> keywords;  ///< without one of these, in any case, it is not looked for;
                                      ///< none: what fixed text the pattern has
  double entropy = 0;                 ///< in bits a byte; what has no more is left alone
  std::vector<Allowed> allowed;
};

/// A CustomRule ready for use.
class CompiledRule {
 public:
  /// Fails with Exit::usage and the reason where RE2 does not take one of its patterns, or where it
  /// would match everywhere.
  static Result<CompiledRule> compile(CustomRule rule);
  /// The values of JSON fields anywhere in a text that contains JSON, escaped or not. Cannot fail.
  static CompiledRule of_fields(const std::vector<std::string>& plain_keys);

  /// Fit for `[REDACTED:name:1]`.
  std::string_view name() const { return rule_.name; }
  const std::vector<std::string>& keywords() const { return rule_.keywords; }
  /// Is it looked for in every text, as no keyword or fixed text of three bytes says where not?
  bool is_sought_everywhere() const;
  /// Every match in `text`, left to right, as findings of the rule numbered `number`.
  void find(std::string_view text, size_t number, std::vector<RedactFinding>& found) const;

 private:
  using Pattern = std::shared_ptr<const re2::RE2>;
  struct Allowance {
    std::vector<Pattern> regexes;
    size_t source;  ///< index into rule_.allowed, for the rest of it
  };
  bool is_allowed(std::string_view text, const RedactFinding& match, std::string_view secret) const;

  CustomRule rule_;
  Pattern pattern_;
  std::vector<Allowance> allowances_;
  bool is_of_fields_ = false;
};

/// A key in which neither case nor `-`, `_` and blanks matter; of a dotted one the last part.
std::string plain_key(std::string_view key);

}  // namespace xtrace
