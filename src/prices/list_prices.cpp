#include <cmath>

#include "prices/day.h"
#include "prices/model_name.h"
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
  const char* from = "";  ///< its first day; in the oldest row of a model it is empty
};

constexpr int64_t kLong = 200'000, kLonger = 272'000, kGemini1 = 128'000, kXai = 199'999;
constexpr int64_t kNever = kNoCount;
constexpr ListPrice kNone{-1, -1};

/// Anthropic's caches cost a tenth, five quarters and twice the price of input.
constexpr ListPrice claude(double input, double output, double read = -1) {
  return {input, output, read < 0 ? input / 10 : read, input * 5 / 4, input * 2};
}

// The makers' own list prices for standard service; what terms make of them is in surcharges.cpp,
// fees are in fees.cpp, and what resellers take is nowhere. Rows of one maker, newest first.
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
    {"claude-mythos-5-1", "2026-10-24", claude(10, 50, 0.25)},
    {"claude-mythos-5", "2026-10-24", claude(10, 50)},
    {"claude-sonnet-5-5", "2026-10-24", claude(2, 10, 0.1), kNever, kNone, "2026-10-07"},
    {"claude-sonnet-5-5", "2026-10-03", claude(2, 10)},
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
    // https://developers.openai.com/api/docs/pricing and its changelog. What goes to a cache costs
    // what input does, and since GPT-5.6 a quarter more.
    {"gpt-6.1-sol", "2026-10-06", {2, 10, 0.1, 2.5}, kLonger, {4, 15, 0.2, 5}},
    {"gpt-6-astra", "2026-10-03", {10, 50, 1, 12.5}, kLonger, {20, 75, 2, 25}},
    {"gpt-6-sol", "2026-10-03", {2, 10, 0.2, 2.5}, kLonger, {4, 15, 0.4, 5}},
    {"gpt-6-luna", "2026-10-06", {0.1, 0.5, 0.01, 0.125}, kLonger, {0.2, 0.75, 0.02, 0.25}},
    {"gpt-5.6-sol", "2026-10-03", {4, 20, 0.4, 5}, kLonger, {8, 30, 0.8, 10}, "2026-08-21"},
    {"gpt-5.6-sol", "2026-08-19", {5, 30, 0.5, 6.25}, kLonger, {10, 45, 1, 12.5}},
    {"gpt-5.6", "2026-10-03", {4, 20, 0.4, 5}, kLonger, {8, 30, 0.8, 10}, "2026-08-21"},
    {"gpt-5.6", "2026-08-19", {5, 30, 0.5, 6.25}, kLonger, {10, 45, 1, 12.5}},
    {"gpt-5.6-terra", "2026-10-03", {2, 12, 0.2, 2.5}, kLonger, {4, 18, 0.4, 5}, "2026-07-30"},
    {"gpt-5.6-terra", "2026-07-09", {2.5, 15, 0.25, 3.125}, kLonger, {5, 22.5, 0.5, 6.25}},
    {"gpt-5.6-luna",
     "2026-10-03",
     {0.2, 1.2, 0.02, 0.25},
     kLonger,
     {0.4, 1.8, 0.04, 0.5},
     "2026-07-30"},
    {"gpt-5.6-luna", "2026-07-09", {1, 6, 0.1, 1.25}, kLonger, {2, 9, 0.2, 2.5}},
    {"gpt-5.5-pro", "2026-10-03", {30, 180}, kLonger, {60, 270}},
    {"gpt-5.5", "2026-10-24", {5, 30, 0.5, 5}, kLonger, {10, 45, 1, 10}},
    {"gpt-5.4", "2026-10-24", {2.5, 15, 0.25, 2.5}, kLonger, {5, 22.5, 0.5, 5}},
    {"gpt-5.4-pro", "2026-10-03", {30, 180}, kLonger, {60, 270}},
    {"gpt-5.4-mini", "2026-10-24", {0.75, 4.5, 0.075, 0.75}},
    {"gpt-5.4-nano", "2026-10-24", {0.2, 1.25, 0.02, 0.2}},
    {"gpt-5.3-codex", "2026-10-24", {1.75, 14, 0.175, 1.75}},
    {"gpt-5.3-chat", "2026-08-19", {1.75, 14, 0.175, 1.75}},
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
    {"gpt-4o-search-preview", "2026-08-19", {2.5, 10}},
    {"gpt-4o-mini-search-preview", "2026-08-19", {0.15, 0.6}},
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
    // 3.6 to 3.8 Flash cost half until the end of 2026.
    {"gemini-3.8-flash", "2026-10-03", {1.5, 7.5, 0.15}, kNever, kNone, "2027-01-01"},
    {"gemini-3.8-flash", "2026-10-03", {0.75, 3.75, 0.075}},
    {"gemini-3.7-flash", "2026-10-03", {1.5, 7.5, 0.15}, kNever, kNone, "2027-01-01"},
    {"gemini-3.7-flash", "2026-10-03", {0.75, 3.75, 0.075}},
    {"gemini-3.6-flash", "2026-10-03", {1.5, 7.5, 0.15}, kNever, kNone, "2027-01-01"},
    {"gemini-3.6-flash", "2026-10-03", {0.75, 3.75, 0.075}, kNever, kNone, "2026-09-02"},
    {"gemini-3.6-flash", "2026-08-01", {1.5, 7.5, 0.15}},
    {"gemini-3.5-flash", "2026-10-03", {1.5, 9, 0.15}},
    {"gemini-3.5-flash-lite", "2026-10-03", {0.3, 2.5, 0.03}},
    {"gemini-3.1-flash-lite", "2026-10-03", {0.25, 1.5, 0.025}},
    {"gemini-3.1-flash-lite-preview", "2026-08-01", {0.25, 1.5, 0.025}},
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
    // Since 2026-08-17, those off peak.
    {"deepseek-flash", "2026-09-23", {0.15, 0.6, 0.003, 0.15}, kNever, kNone, "2026-09-10"},
    {"deepseek-v4.1-flash", "2026-09-23", {0.15, 0.6, 0.003, 0.15}, kNever, kNone, "2026-09-10"},
    {"deepseek-v4-flash", "2026-09-23", {0.15, 0.6, 0.003, 0.15}, kNever, kNone, "2026-09-10"},
    {"deepseek-v4-flash", "2026-08-21", {0.22, 0.66, 0.007, 0.22}, kNever, kNone, "2026-08-17"},
    {"deepseek-v4-flash", "2026-08-01", {0.14, 0.28, 0.0028, 0.14}},
    {"deepseek-v4-pro", "2026-09-23", {0.66, 1.98, 0.022, 0.66}, kNever, kNone, "2026-08-17"},
    {"deepseek-v4-pro", "2026-08-01", {0.435, 0.87, 0.003625, 0.435}},
    {"deepseek-chat", "2025-12-09", {0.28, 0.42, 0.028, 0.28}},
    {"deepseek-reasoner", "2025-12-09", {0.28, 0.42, 0.028, 0.28}},
    // https://mistral.ai/pricing
    {"mistral-medium-3.5", "2026-08-01", {1.5, 7.5, 0.15}},
    {"mistral-large-2512", "2026-08-01", {0.5, 1.5, 0.05}},
    {"magistral-medium-latest", "2026-08-01", {2, 5}},
    {"magistral-small-latest", "2026-08-01", {0.5, 1.5}},
    {"codestral-latest", "2026-08-01", {0.3, 0.9}},
    {"mistral-large-2411", "2025-11-01", {2, 6}},
    {"mistral-medium-2505", "2025-11-01", {0.4, 2}},
    {"mistral-medium-2508", "2025-11-01", {0.4, 2}},
    {"mistral-small-2506", "2025-11-01", {0.1, 0.3}},
    {"codestral-2508", "2025-11-01", {0.3, 0.9}},
    {"devstral-medium-2507", "2025-11-01", {0.4, 2}},
    // https://docs.x.ai/developers/pricing
    {"grok-4.7", "2026-09-23", {2, 6, 0.5}, kXai, {4, 12, 1}},
    {"grok-4.6", "2026-09-23", {2, 6, 0.5}, kXai, {4, 12, 1}},
    {"grok-4.5", "2026-09-23", {2, 6, 0.3}, kXai, {4, 12, 0.6}},
    {"grok-4.3", "2026-09-23", {1.25, 2.5, 0.2}, kXai, {2.5, 5, 0.4}},
    {"grok-4.20", "2026-09-23", {1.25, 2.5, 0.2}, kXai, {2.5, 5, 0.4}},
    {"grok-4.20-0309-reasoning", "2026-09-23", {1.25, 2.5, 0.2}, kXai, {2.5, 5, 0.4}},
    {"grok-4.20-0309-non-reasoning", "2026-09-23", {1.25, 2.5, 0.2}, kXai, {2.5, 5, 0.4}},
    {"grok-build-0.1", "2026-09-23", {1, 2, 0.2}, kXai, {2, 4, 0.4}},
    {"grok-4", "2025-11-01", {3, 15, 0.75}, kGemini1, {6, 30, 1.5}},
    {"grok-4-fast-reasoning", "2025-11-01", {0.2, 0.5, 0.05}, kGemini1, {0.4, 1, 0.05}},
    {"grok-4-fast-non-reasoning", "2025-11-01", {0.2, 0.5, 0.05}, kGemini1, {0.4, 1, 0.05}},
    {"grok-code-fast-1", "2025-11-01", {0.2, 1.5, 0.02}},
    {"grok-3", "2025-11-01", {3, 15, 0.75}},
    {"grok-3-mini", "2025-11-01", {0.3, 0.5, 0.075}},
    // https://platform.kimi.ai/docs/pricing/chat
    {"kimi-k3", "2026-10-03", {3, 15, 0.3, 3}},
    {"kimi-k2.7-code", "2026-09-24", {0.95, 4, 0.19, 0.95}},
    {"kimi-k2.7-code-highspeed", "2026-07-20", {1.9, 8, 0.38, 1.9}},
    {"kimi-k2.6", "2026-10-03", {0.95, 4, 0.16, 0.95}},
    {"kimi-k2.5", "2026-07-20", {0.6, 3, 0.1, 0.6}},
    // https://docs.z.ai/guides/overview/pricing; keeping a cache is free for now.
    {"glm-5.3", "2026-09-09", {1.4, 4.4, 0.26, 1.4}},
    {"glm-5.3-flash", "2026-09-09", {0.15, 0.5, 0.03, 0.15}, kNever, kNone, "2026-09-10"},
    {"glm-5.3-flash", "2026-08-28", {0.075, 0.25, 0.015, 0.075}},
    {"glm-5.2", "2026-09-09", {1.4, 4.4, 0.26, 1.4}},
    {"glm-5.1", "2026-10-03", {1.4, 4.4, 0.26, 1.4}},
    {"glm-5", "2026-08-28", {1, 3.2, 0.2, 1}},
    {"glm-4.7", "2026-08-28", {0.6, 2.2, 0.11, 0.6}},
    {"glm-4.7-flash", "2026-08-28", {0, 0, 0, 0}},
    {"glm-4.6", "2026-09-24", {0.6, 2.2, 0.11, 0.6}},
    {"glm-4.5", "2026-08-28", {0.6, 2.2, 0.11, 0.6}},
    {"glm-4.5-flash", "2026-08-28", {0, 0, 0, 0}},
    // https://platform.minimax.io/docs/guides/pricing-paygo
    {"minimax-m3", "2026-05-31", {0.6, 2.4, 0.12}, 512'000, {1.2, 4.8, 0.24}},
    {"minimax-m2.7", "2026-10-03", {0.3, 1.2, 0.06, 0.375}},
    // https://www.alibabacloud.com/help/en/model-studio/model-pricing, of Singapore
    {"qwen3.8-max", "2026-09-20", {2, 6, 0.25, 2}},
    // https://aws.amazon.com/nova/pricing
    {"nova-2-lite", "2026-05-19", {0.3, 2.5}},
    {"nova-premier", "2026-05-19", {2.5, 12.5}},
    {"nova-pro", "2026-05-19", {0.8, 3.2, 0.2}},
    {"nova-lite", "2026-05-19", {0.06, 0.24, 0.015}},
    {"nova-micro", "2026-05-19", {0.035, 0.14, 0.00875}},
    // https://cohere.com/pricing
    {"command-a-03-2025", "2026-05-19", {2.5, 10}},
    {"command-r-plus-08-2024", "2026-05-19", {2.5, 10}},
    {"command-r-08-2024", "2026-05-19", {0.15, 0.6}},
    {"command-r7b-12-2024", "2026-05-19", {0.0375, 0.15}},
};

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
      table.add({row.name, row.valid, price_of(row.price), row.over, price_of(row.price_over),
                 first_moment(row.from),
                 multiples_of(plain_model(row.name), first_moment(row.from))});
    return table;
  }();
  return kTable;
}

}  // namespace xtrace
