#include "prices/surcharges.h"

#include <chrono>

#include "prices/day.h"

namespace xtrace {

namespace {

enum class Kind : uint8_t { regional, fast, priority, hurried, batch, peak };

struct Surcharge {
  std::string_view model;  ///< its plain name; for other kinds than haste, also that of a family
  Kind kind;               ///< `hurried`: fast and priority are one
  int64_t hundredths;
  std::string_view from{};  ///< its first day
};

// The last row that fits counts, so that a model follows its family.
constexpr Surcharge kSurcharges[] = {
    // https://platform.claude.com/docs/en/about-claude/pricing, 2026-11-05: US-only inference costs
    // 1.1 times, and so do endpoints of Bedrock and Google Cloud that are not global, since Sonnet
    // 4.5, Haiku 4.5 and Opus 4.5.
    {"claude-sonnet-4-5", Kind::regional, 110},
    {"claude-sonnet-4-6", Kind::regional, 110},
    {"claude-haiku-4-5", Kind::regional, 110},
    {"claude-opus-4-5", Kind::regional, 110},
    {"claude-opus-4-6", Kind::regional, 110},
    {"claude-opus-4-7", Kind::regional, 110},
    {"claude-opus-4-8", Kind::regional, 110},
    {"claude-opus-5", Kind::regional, 110},
    {"claude-sonnet-5", Kind::regional, 110},
    {"claude-haiku-5", Kind::regional, 110},
    {"claude-fable-5", Kind::regional, 110},
    {"claude-mythos-5", Kind::regional, 110},
    // https://platform.claude.com/docs/en/build-with-claude/fast-mode, 2026-10-24
    {"claude-opus-5-5", Kind::fast, 200},
    {"claude-opus-5", Kind::fast, 200},
    {"claude-opus-4-8", Kind::fast, 200},
    {"claude-opus-4-7", Kind::fast, 600},
    {"claude-opus-4-6", Kind::fast, 600},
    // https://developers.openai.com/api/docs/pricing, 2026-11-05: regional processing costs 1.1
    // times, of models released since March 5, 2026.
    {"gpt-5-4", Kind::regional, 110},
    {"gpt-5-5", Kind::regional, 110},
    {"gpt-5-6", Kind::regional, 110},
    {"gpt-6", Kind::regional, 110},
    {"gpt-6-1", Kind::regional, 110},
    // https://openai.com/api-fast-mode, 2026-10-24; before 2026-07-30 the same was called
    // priority processing.
    {"gpt-6-1-sol", Kind::hurried, 200},
    {"gpt-6-astra", Kind::hurried, 200},
    {"gpt-6-sol", Kind::hurried, 200},
    {"gpt-6-luna", Kind::hurried, 200},
    {"gpt-5-6", Kind::hurried, 200},
    {"gpt-5-6-sol", Kind::hurried, 200},
    {"gpt-5-6-terra", Kind::hurried, 200},
    {"gpt-5-6-luna", Kind::hurried, 200},
    {"gpt-5-5", Kind::hurried, 250},
    {"gpt-5-4", Kind::hurried, 200},
    {"gpt-5-4-mini", Kind::hurried, 200},
    {"gpt-5-2", Kind::hurried, 200},
    {"gpt-5-1", Kind::hurried, 200},
    {"gpt-5-1-codex", Kind::hurried, 200},
    {"gpt-5", Kind::hurried, 200},
    {"gpt-5-mini", Kind::hurried, 180},
    {"gpt-5-codex", Kind::hurried, 200},
    {"gpt-4-1", Kind::hurried, 175},
    {"gpt-4-1-mini", Kind::hurried, 175},
    {"gpt-4-1-nano", Kind::hurried, 200},
    // https://ai.google.dev/gemini-api/docs/pricing, 2026-09-23
    {"gemini-3-1-pro-preview", Kind::priority, 180},
    {"gemini-3-8-flash", Kind::priority, 180},
    {"gemini-3-7-flash", Kind::priority, 180},
    {"gemini-3-6-flash", Kind::priority, 180},
    // https://docs.x.ai/developers/pricing, 2026-09-21: batches of two families cost 20 % less.
    {"grok", Kind::regional, 110},
    {"grok", Kind::batch, 100},
    {"grok-4-3", Kind::batch, 80},
    {"grok-4-20", Kind::batch, 80},
    {"grok-4-7", Kind::priority, 200},
    {"grok-4-6", Kind::priority, 200},
    // https://api-docs.deepseek.com/quick_start/pricing, 2026-09-23
    {"deepseek", Kind::peak, 200, "2026-08-17"},
};

bool is_haste(Kind kind) {
  return kind == Kind::fast || kind == Kind::priority || kind == Kind::hurried;
}

/// DeepSeek's: 01:00 to 04:00 and 06:00 to 10:00 UTC from Monday to Friday. Holidays of China are
/// off peak, and in no table here.
bool is_peak(Time time) {
  if (time == kNoTime) return false;
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const auto hour = std::chrono::floor<std::chrono::hours>(time - day).count();
  const std::chrono::weekday weekday(day);
  const bool is_weekend = weekday == std::chrono::Saturday || weekday == std::chrono::Sunday;
  return !is_weekend && ((hour >= 1 && hour < 4) || (hour >= 6 && hour < 10));
}

}  // namespace

Multiples multiples_of(std::string_view plain_name, Time from) {
  Multiples known;
  for (const Surcharge& one : kSurcharges) {
    const bool fits =
        is_haste(one.kind) ? plain_name == one.model : is_of_family(plain_name, one.model);
    const bool holds = one.from.empty() || (from != kNoTime && first_moment(one.from) <= from);
    if (!fits || !holds) continue;
    switch (one.kind) {
      case Kind::regional: known.regional = one.hundredths; break;
      case Kind::fast: known.fast = one.hundredths; break;
      case Kind::priority: known.priority = one.hundredths; break;
      case Kind::hurried: known.fast = known.priority = one.hundredths; break;
      case Kind::batch: known.batch = one.hundredths; break;
      case Kind::peak: known.peak = one.hundredths; break;
    }
  }
  return known;
}

Multiple multiple_for(const Multiples& known, Terms terms, Time time) {
  Multiple multiple;
  const auto times = [&](int64_t hundredths) {
    if (hundredths < 0)
      multiple.is_at_least = true;  // haste costs no less than the usual service
    else
      multiple.ten_thousandths = multiple.ten_thousandths * hundredths / 100;
  };
  switch (terms.tier) {
    case ServiceTier::unstated:
    case ServiceTier::standard: break;
    case ServiceTier::batch: times(known.batch); break;
    case ServiceTier::flex: times(known.flex); break;
    case ServiceTier::priority: times(known.priority); break;
    case ServiceTier::fast: times(known.fast); break;
    case ServiceTier::ultrafast: times(kNoCount); break;
    case ServiceTier::free: times(0); break;
  }
  if (terms.residency == Residency::regional) times(known.regional);
  if (terms.residency == Residency::unclear && known.regional > 100) times(kNoCount);
  if (known.peak != 100 && is_peak(time)) times(known.peak);
  return multiple;
}

}  // namespace xtrace
