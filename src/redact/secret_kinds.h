#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "redact/redact_rules.h"

namespace xtrace {

/// A row of secret_kinds.inc or secret_names.inc: a kind of secret that a vendor issues.
struct SecretKind {
  enum class Check : uint8_t { none, digit, random, token };

  std::string_view name, begins, follows;
  std::string_view source, day;  ///< empty: no page was checked
  Check check = Check::none;
  bool is_named = false;    ///< `begins` has names that are assigned a secret
  bool is_bounded = false;  ///< no character of base64url may touch either end
  bool any_case = false;    ///< of the beginning
};

/// All of them, the most specific first.
std::span<const SecretKind> secret_kinds();

/// The rule that finds secrets of this kind. Its texts live as long as the program.
RedactRule rule_of(const SecretKind& kind);

/// `ghp_<alnum>{36}`
std::string form_of(const SecretKind& kind);

/// An invented secret of this kind, with its name where it needs one; the same in each run. Another
/// `variant` has another body, or the next beginning.
std::string example_of(const SecretKind& kind, size_t variant = 0);

}  // namespace xtrace
