#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "redact/custom_rule.h"
#include "redact/redact.h"

namespace xtrace {

/// The built-in rules and behind them those that users bring along, with what finds the few places
/// of a text where one of them can match. A rule is known by its number in this order.
class RuleSet {
 public:
  /// The built-in ones and no more.
  static const std::shared_ptr<const RuleSet>& built_in();
  explicit RuleSet(std::vector<CompiledRule> custom = {});
  ~RuleSet();

  std::string_view name(size_t rule) const;
  /// Is it what one of them is called?
  bool has_name(std::string_view name) const;
  /// Texts shorter than this hold no match.
  size_t shortest() const;
  /// Every match of every rule in `text` itself, undecoded, overlaps included, in no particular
  /// order.
  void find(std::string_view text, Redaction which, std::vector<RedactFinding>& found) const;

 private:
  class Triggers;
  std::vector<CompiledRule> custom_;
  std::vector<size_t> always_;  ///< custom rules that are looked for in every text
  std::unique_ptr<Triggers> triggers_;
};

}  // namespace xtrace
