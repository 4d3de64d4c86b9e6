#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "redact/clearance.h"

namespace xtrace {

class ClearedTexts;
class RuleSet;

/// Which kinds of finding are replaced.
enum class Redaction : uint8_t { all, secrets_only, off };

/// A place where a rule matched: the bytes that are replaced.
struct RedactFinding {
  size_t begin = 0, end = 0;
  size_t rule = 0;    ///< its number in the RuleSet; the first are those of kRedactRules
  std::string value;  ///< what was found there, decoded; empty: the bytes themselves
};

/// What is replaced, and how it is recognised.
struct RedactPolicy {
  RedactPolicy(Redaction redaction = Redaction::all);  ///< with the built-in rules
  Redaction which;
  std::shared_ptr<const RuleSet> rules;
  /// Whose home folder keeps its name, as who asks is at home there; empty: nobody's.
  std::string own_user{};
  /// Up to which label, and what labels mean.
  Clearance clearance{};
  /// Which texts that lets through; nullptr: all. The Door asks it.
  std::shared_ptr<const ClearedTexts> cleared{};
};

/// A replacement that was made; says nothing of what it hides but its length.
struct Removal {
  std::string_view rule;
  int64_t number = 0;      ///< as in `[REDACTED:rule:number]`
  int64_t characters = 0;  ///< as in the text, encoded or not
};

/// Every match of every built-in rule in `text` itself, undecoded, overlaps included, in no
/// particular order. Exposed so that a test can compare it with the naive way.
void find_rule_matches(std::string_view text, Redaction which, std::vector<RedactFinding>& found);

/// `[REDACTED:home]` for `[REDACTED:home:2]`: what a user copies from one answer may bear another
/// number in the next.
std::string without_numbers(std::string_view redacted);

/// Takes secrets and personal data out of text that is about to be printed. Not for several threads
/// at once; the numbers it gives depend on the order of the calls, everything else does not.
class Redactor {
 public:
  explicit Redactor(RedactPolicy policy = {}) : policy_(std::move(policy)) {}

  /// `text` (decoded UTF-8, may hold anything) with every secret and personal datum replaced by
  /// `[REDACTED:rule:n]`; equal values of one rule get the same n within the life of this Redactor.
  /// A home folder keeps its path: only the user's name is replaced. Redacting twice changes
  /// nothing.
  std::string redact(std::string_view text);

  /// True when redact() would change nothing; cheap for ordinary names and ids.
  bool clean(std::string_view text);

  /// The replacement of all of a value that is hidden for the name of its field, whatever it is.
  std::string mask(std::string_view value);

  /// From now on values are named by what `name` makes of rule and value in place of a number. Who
  /// redacts what came of it, which may be another program on another day, gives it a number as if
  /// it were the value.
  void name_by(std::function<std::string(std::string_view rule, std::string_view value)> name) {
    name_by_ = std::move(name);
  }

  /// What it was asked to replace.
  Redaction which() const { return policy_.which; }
  const RedactPolicy& policy() const { return policy_; }

  /// Receives every replacement from now on.
  void on_removal(std::function<void(const Removal&)> told) { on_removal_ = std::move(told); }

  /// How many replacements were made, by rule name, in name order.
  const std::map<std::string, int64_t, std::less<>>& counts() const { return counts_; }

 private:
  std::string with_numbers(std::string_view text);
  std::string replace(std::string_view text, const std::vector<RedactFinding>& findings);
  std::string replacement(std::string_view rule, std::string_view value, int64_t characters);

  RedactPolicy policy_;
  std::function<void(const Removal&)> on_removal_;
  std::function<std::string(std::string_view, std::string_view)> name_by_;
  std::map<std::string, int64_t, std::less<>> counts_;
  std::unordered_map<std::string, int64_t> numbers_;  ///< by rule, NUL and value
  std::unordered_map<std::string, int64_t> last_;     ///< by rule: the last number given
  std::vector<RedactFinding> findings_;               ///< kept for its memory
};

}  // namespace xtrace
