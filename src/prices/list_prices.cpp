#include <cmath>

#include "prices/price.h"

namespace xtrace {

namespace {

/// Dollars for a million tokens, as vendors print them.
struct ListPrice {
  double input, output, cache_read = -1, cache_creation = -1, cache_creation_1h = -1;
};
struct Row {
  const char* name;
  const char* valid;
  ListPrice price;
  int64_t over = kNoCount;
  ListPrice price_over{-1, -1};
};
/// What `priority` or `fast` service costs, in hundredths of the row's prices.
struct Hurried {
  const char* name;
  int64_t hundredths;
};

constexpr int64_t kLong = 200'000, kLonger = 272'000, kGemini1 = 128'000;

/// Anthropic's caches cost a tenth, five quarters and twice the price of input.
constexpr ListPrice claude(double input, double output, double read = -1) {
  return {input, output, read < 0 ? input / 10 : read, input * 5 / 4, input * 2};
}

// The makers' own list prices for standard service. Fees for searches and what resellers take are
// not in them. Rows of one maker, newest first.
constexpr Row kRows[] = {
    // https://platform.claude.com/docs/en/about-claude/pricing
    {"claude-opus-5-5", "2026-10-24", claude(4, 20, 0.2)},
    {"claude-opus-5", "2026-10-24", claude(5, 25)},
    {"claude-opus-4-8", "2026-10-24", claude(5, 25)},
    {"claude-opus-4-7", "2026-10-24", claude(5, 25)},
    {"claude-opus-4-6", "2026-10-24", claude(5, 25)},
    {"claude-opus-4-5", "2026-10-24", claude(5, 25)},
    {"claude-opus-4-1", "2026-10-24", claude(15, 75)},
    {"claude-opus-4-0", "2026-10-24", claude(15, 75)},
    {"claude-opus-4", "2026-10-24", claude(15, 75)},
    {"claude-fable-5-1", "2026-10-24", claude(10, 50, 0.25)},
    {"claude-fable-5", "2026-10-24", claude(10, 50)},
    {"claude-sonnet-5-5", "2026-10-24", claude(2, 10, 0.1)},
    {"claude-sonnet-5", "2026-10-24", claude(2, 10)},
    {"claude-sonnet-4-6", "2026-10-24", claude(3, 15)},
    {"claude-sonnet-4-5", "2025-11-01", claude(3, 15), kLong, claude(6, 22.5)},
    {"claude-sonnet-4-0", "2025-11-01", claude(3, 15), kLong, claude(6, 22.5)},
    {"claude-sonnet-4", "2025-11-01", claude(3, 15), kLong, claude(6, 22.5)},
    {"claude-haiku-5-5", "2026-10-24", claude(0.1, 0.5), 100'000, claude(0.5, 2.5)},
    {"claude-haiku-4-5", "2026-10-24", claude(1, 5)},
    {"claude-3-7-sonnet", "2025-11-01", claude(3, 15)},
    {"claude-3-5-sonnet", "2025-11-01", claude(3, 15)},
    {"claude-3-5-haiku", "2025-11-01", claude(0.8, 4)},
    {"claude-3-opus", "2025-11-01", claude(15, 75)},
    {"claude-3-sonnet", "2025-11-01", {3, 15}},  // had no cache
    {"claude-3-haiku", "2025-11-01", {0.25, 1.25, 0.03, 0.3, 0.5}},
    // https://platform.openai.com/docs/pricing; what goes to a cache costs what input does.
    {"gpt-5.5", "2026-10-24", {5, 30, 0.5, 5}, kLonger, {10, 45, 1, 10}},
    {"gpt-5.4", "2026-10-24", {2.5, 15, 0.25, 2.5}, kLonger, {5, 22.5, 0.5, 5}},
    {"gpt-5.4-mini", "2026-10-24", {0.75, 4.5, 0.075, 0.75}},
    {"gpt-5.4-nano", "2026-10-24", {0.2, 1.25, 0.02, 0.2}},
    {"gpt-5.3-codex", "2026-10-24", {1.75, 14, 0.175, 1.75}},
    {"gpt-5.2", "2026-03-01", {1.75, 14, 0.175, 1.75}},
    {"gpt-5.2-codex", "2026-03-01", {1.75, 14, 0.175, 1.75}},
    {"gpt-5.2-chat", "2026-03-01", {1.75, 14, 0.175, 1.75}},
    {"gpt-5.2-pro", "2026-03-01", {21, 168}},
    {"gpt-5.1", "2026-03-01", {1.25, 10, 0.125, 1.25}},
    {"gpt-5.1-chat", "2026-03-01", {1.25, 10, 0.125, 1.25}},
    {"gpt-5.1-codex", "2026-03-01", {1.25, 10, 0.125, 1.25}},
    {"gpt-5.1-codex-max", "2026-03-01", {1.25, 10, 0.125, 1.25}},
    {"gpt-5.1-codex-mini", "2026-03-01", {0.25, 2, 0.025, 0.25}},
    {"gpt-5", "2026-03-01", {1.25, 10, 0.125, 1.25}},
    {"gpt-5-chat", "2026-03-01", {1.25, 10, 0.125, 1.25}},
    {"gpt-5-codex", "2026-03-01", {1.25, 10, 0.125, 1.25}},
    {"gpt-5-mini", "2026-10-24", {0.25, 2, 0.025, 0.25}},
    {"gpt-5-nano", "2026-03-01", {0.05, 0.4, 0.005, 0.05}},
    {"gpt-5-pro", "2026-03-01", {15, 120}},
    {"gpt-4.5-preview", "2025-06-01", {75, 150, 37.5, 75}},
    {"gpt-4.1", "2026-03-01", {2, 8, 0.5, 2}},
    {"gpt-4.1-mini", "2026-03-01", {0.4, 1.6, 0.1, 0.4}},
    {"gpt-4.1-nano", "2026-03-01", {0.1, 0.4, 0.025, 0.1}},
    {"gpt-4o", "2026-03-01", {2.5, 10, 1.25, 2.5}},
    {"gpt-4o-2024-05-13", "2026-03-01", {5, 15}},
    {"gpt-4o-mini", "2026-03-01", {0.15, 0.6, 0.075, 0.15}},
    {"chatgpt-4o", "2026-03-01", {5, 15}},
    {"gpt-4-turbo", "2026-03-01", {10, 30}},
    {"gpt-4-turbo-preview", "2026-03-01", {10, 30}},
    {"gpt-4-0125-preview", "2026-03-01", {10, 30}},
    {"gpt-4-1106-preview", "2026-03-01", {10, 30}},
    {"gpt-4", "2026-03-01", {30, 60}},
    {"gpt-4-32k", "2025-06-01", {60, 120}},
    {"gpt-3.5-turbo", "2026-03-01", {0.5, 1.5}},
    {"gpt-3.5-turbo-1106", "2026-03-01", {1, 2}},
    {"gpt-3.5-turbo-0613", "2026-03-01", {1.5, 2}},
    {"gpt-3.5-turbo-16k", "2026-03-01", {3, 4}},
    {"gpt-3.5-turbo-instruct", "2026-03-01", {1.5, 2}},
    {"o4-mini", "2026-03-01", {1.1, 4.4, 0.275, 1.1}},
    {"o3", "2026-03-01", {2, 8, 0.5, 2}},
    {"o3-pro", "2026-03-01", {20, 80}},
    {"o3-mini", "2026-03-01", {1.1, 4.4, 0.55, 1.1}},
    {"o1", "2026-03-01", {15, 60, 7.5, 15}},
    {"o1-preview", "2025-06-01", {15, 60, 7.5, 15}},
    {"o1-pro", "2026-03-01", {150, 600}},
    {"o1-mini", "2026-03-01", {1.1, 4.4, 0.55, 1.1}},
    {"codex-mini", "2026-03-01", {1.5, 6, 0.375, 1.5}},
    {"text-embedding-3-small", "2026-03-01", {0.02, 0}},
    {"text-embedding-3-large", "2026-03-01", {0.13, 0}},
    {"text-embedding-ada-002", "2026-03-01", {0.1, 0}},
    // https://ai.google.dev/gemini-api/docs/pricing, of text; keeping a cache is not in it.
    {"gemini-3.1-pro-preview", "2026-10-24", {2, 12, 0.2}, kLong, {4, 18, 0.4}},
    {"gemini-3-pro-preview", "2026-03-01", {2, 12, 0.2}, kLong, {4, 18, 0.4}},
    {"gemini-3-flash-preview", "2026-03-01", {0.5, 3, 0.05}},
    {"gemini-2.5-pro", "2026-03-01", {1.25, 10, 0.125}, kLong, {2.5, 15, 0.25}},
    {"gemini-2.5-pro-preview-06-05", "2026-03-01", {1.25, 10, 0.125}, kLong, {2.5, 15, 0.25}},
    {"gemini-2.5-flash", "2026-03-01", {0.3, 2.5, 0.03}},
    {"gemini-2.5-flash-preview-09-2025", "2026-03-01", {0.3, 2.5, 0.03}},
    {"gemini-2.5-flash-lite", "2026-03-01", {0.1, 0.4, 0.01}},
    {"gemini-2.0-flash", "2026-03-01", {0.1, 0.4, 0.025}},
    {"gemini-2.0-flash-lite", "2026-03-01", {0.075, 0.3}},
    {"gemini-1.5-pro", "2025-06-01", {1.25, 5, 0.3125}, kGemini1, {2.5, 10, 0.625}},
    {"gemini-1.5-flash", "2025-06-01", {0.075, 0.3, 0.01875}, kGemini1, {0.15, 0.6, 0.0375}},
    {"gemini-1.5-flash-8b", "2025-06-01", {0.0375, 0.15, 0.01}, kGemini1, {0.075, 0.3, 0.02}},
    // https://api-docs.deepseek.com/quick_start/pricing
    {"deepseek-chat", "2025-12-09", {0.28, 0.42, 0.028, 0.28}},
    {"deepseek-reasoner", "2025-12-09", {0.28, 0.42, 0.028, 0.28}},
    // https://mistral.ai/pricing
    {"mistral-large-2411", "2025-11-01", {2, 6}},
    {"mistral-medium-2505", "2025-11-01", {0.4, 2}},
    {"mistral-medium-2508", "2025-11-01", {0.4, 2}},
    {"mistral-small-2506", "2025-11-01", {0.1, 0.3}},
    {"codestral-2508", "2025-11-01", {0.3, 0.9}},
    {"devstral-medium-2507", "2025-11-01", {0.4, 2}},
    // https://docs.x.ai/docs/models
    {"grok-4", "2025-11-01", {3, 15, 0.75}, kGemini1, {6, 30, 1.5}},
    {"grok-4-fast-reasoning", "2025-11-01", {0.2, 0.5, 0.05}, kGemini1, {0.4, 1, 0.05}},
    {"grok-4-fast-non-reasoning", "2025-11-01", {0.2, 0.5, 0.05}, kGemini1, {0.4, 1, 0.05}},
    {"grok-code-fast-1", "2025-11-01", {0.2, 1.5, 0.02}},
    {"grok-3", "2025-11-01", {3, 15, 0.75}},
    {"grok-3-mini", "2025-11-01", {0.3, 0.5, 0.075}},
};

// https://platform.claude.com/docs/en/build-with-claude/fast-mode, which is not what a fast model
// of a reseller costs, and https://openai.com/api-priority-processing.
constexpr Hurried kHurried[] = {
    {"claude-opus-5", 200},   {"claude-opus-4-8", 200}, {"claude-opus-4-7", 600},
    {"claude-opus-4-6", 600}, {"gpt-5.5", 250},         {"gpt-5.4", 200},
    {"gpt-5.4-mini", 200},    {"gpt-5.2", 200},         {"gpt-5.1", 200},
    {"gpt-5", 200},           {"gpt-5-mini", 180},      {"gpt-5.1-codex", 200},
    {"gpt-5-codex", 200},     {"gpt-4.1", 175},
};

int64_t hurried(std::string_view name) {
  for (const Hurried& one : kHurried)
    if (name == one.name) return one.hundredths;
  return kNoCount;
}

int64_t millionths(double dollars) {
  return dollars < 0 ? kNoCount : std::llround(dollars * 1e6);
}

Price price_of(const ListPrice& listed) {
  return {millionths(listed.input), millionths(listed.output), millionths(listed.cache_read),
          millionths(listed.cache_creation), millionths(listed.cache_creation_1h)};
}

}  // namespace

const PriceTable& list_prices() {
  static const PriceTable kTable = [] {
    PriceTable table;
    for (const Row& row : kRows)
      table.set({row.name, row.valid, price_of(row.price), row.over, price_of(row.price_over),
                 hurried(row.name)});
    return table;
  }();
  return kTable;
}

}  // namespace xtrace
