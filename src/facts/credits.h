#pragma once

#include <cstdint>
#include <string_view>

namespace xtrace {

/// Units in which vendors of agents count usage and that are no money.
enum class CreditKind : uint8_t {
  copilot_ai_credit,  ///< GitHub's, since 2026-06-01: `totalNanoAiu` of Copilot are billionths
  kiro_credit,
  amp_credit,
  factory_token,
  cursor_request,
};

/// What so many billionths of a credit cost, in billionths of a dollar; -1: no public rate holds
/// for everybody.
int64_t cost_of_credits(CreditKind kind, int64_t billionths);
/// `AI credit`, as its vendor calls one.
std::string_view word(CreditKind kind);

}  // namespace xtrace
