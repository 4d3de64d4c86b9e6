#include "facts/credits.h"

#include "facts/call.h"

namespace xtrace {

namespace {

struct Rate {
  CreditKind kind;
  std::string_view word;
  int64_t millionths = kNoCount;  ///< of a dollar, for one
};

constexpr Rate kRates[] = {
    // https://docs.github.com/en/copilot/concepts/billing/usage-based-billing-for-individuals,
    // 2026-11-28: 1 AI credit = $0.01.
    {CreditKind::copilot_ai_credit, "AI credit", 10'000},
    // Plans include these at prices of their own, and sell more of them at other prices.
    {CreditKind::kiro_credit, "Kiro credit"},
    {CreditKind::amp_credit, "Amp credit"},
    {CreditKind::factory_token, "Factory token"},
    {CreditKind::cursor_request, "Cursor request"},
};

const Rate& rate_of(CreditKind kind) {
  return kRates[static_cast<size_t>(kind)];
}

}  // namespace

int64_t cost_of_credits(CreditKind kind, int64_t billionths) {
  constexpr int64_t kMillion = 1'000'000;
  const int64_t rate = rate_of(kind).millionths;
  if (rate < 0 || billionths < 0) return kNoCount;
  return billionths / kMillion * rate + billionths % kMillion * rate / kMillion;
}

std::string_view word(CreditKind kind) {
  return rate_of(kind).word;
}

}  // namespace xtrace
