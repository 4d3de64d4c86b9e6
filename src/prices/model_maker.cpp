#include "prices/model_maker.h"

#include <map>
#include <optional>
#include <string>

#include "prices/model_name.h"

namespace xtrace {

namespace {

struct Family {
  std::string_view begin, maker;
};

constexpr Family kFamilies[] = {
    {"claude", "anthropic"},
    {"gpt", "openai"},
    {"chatgpt", "openai"},
    {"o1", "openai"},
    {"o3", "openai"},
    {"o4", "openai"},
    {"codex", "openai"},
    {"text-embedding", "openai"},
    {"gemini", "gcp.gemini"},
    {"grok", "x_ai"},
    {"deepseek", "deepseek"},
    {"mistral", "mistral_ai"},
    {"ministral", "mistral_ai"},
    {"magistral", "mistral_ai"},
    {"codestral", "mistral_ai"},
    {"devstral", "mistral_ai"},
    {"command", "cohere"},
};

constexpr int64_t k128 = 128'000, k200 = 200'000, k400 = 400'000, k1M = 1'000'000, kMi = 1'048'576;

struct WindowRow {
  const char* name;
  ContextWindow window;
};

constexpr WindowRow kWindows[] = {
    // https://platform.claude.com/docs/en/models/ and the page of each, as of 2026-11-22
    {"claude-opus-5-5", {k1M}},
    {"claude-opus-5", {k1M}},
    {"claude-fable-5-1", {k1M}},
    {"claude-sonnet-5-5", {k1M}},
    {"claude-sonnet-5", {k1M}},
    {"claude-haiku-5-5", {k1M}},
    {"claude-opus-4-8", {k1M}},
    {"claude-opus-4-6", {k1M}},
    {"claude-sonnet-4-6", {k1M}},
    {"claude-opus-4-5", {k200}},
    {"claude-opus-4-1", {k200}},
    {"claude-opus-4-0", {k200}},
    {"claude-opus-4", {k200}},
    {"claude-sonnet-4-5", {k200, k1M}},
    {"claude-sonnet-4-0", {k200, k1M}},
    {"claude-sonnet-4", {k200, k1M}},
    {"claude-haiku-4-5", {k200}},
    {"claude-3-7-sonnet", {k200}},
    {"claude-3-5-sonnet", {k200}},
    {"claude-3-5-haiku", {k200}},
    {"claude-3-opus", {k200}},
    {"claude-3-sonnet", {k200}},
    {"claude-3-haiku", {k200}},
    // https://platform.openai.com/docs/models
    {"gpt-5.2", {k400}},
    {"gpt-5.2-codex", {k400}},
    {"gpt-5.2-pro", {k400}},
    {"gpt-5.2-chat", {k128}},
    {"gpt-5.1", {k400}},
    {"gpt-5.1-chat", {k128}},
    {"gpt-5.1-codex", {k400}},
    {"gpt-5.1-codex-max", {k400}},
    {"gpt-5.1-codex-mini", {k400}},
    {"gpt-5", {k400}},
    {"gpt-5-chat", {k128}},
    {"gpt-5-codex", {k400}},
    {"gpt-5-mini", {k400}},
    {"gpt-5-nano", {k400}},
    {"gpt-5-pro", {k400}},
    {"gpt-4.1", {1'047'576}},
    {"gpt-4.1-mini", {1'047'576}},
    {"gpt-4.1-nano", {1'047'576}},
    {"gpt-4o", {k128}},
    {"gpt-4o-mini", {k128}},
    {"gpt-4-turbo", {k128}},
    {"gpt-4", {8'192}},
    {"gpt-4-32k", {32'768}},
    {"gpt-3.5-turbo", {16'385}},
    {"o4-mini", {k200}},
    {"o3", {k200}},
    {"o3-pro", {k200}},
    {"o3-mini", {k200}},
    {"o1", {k200}},
    {"o1-pro", {k200}},
    {"o1-mini", {k128}},
    {"o1-preview", {k128}},
    // https://ai.google.dev/gemini-api/docs/models
    {"gemini-3-pro-preview", {kMi}},
    {"gemini-3-flash-preview", {kMi}},
    {"gemini-2.5-pro", {kMi}},
    {"gemini-2.5-flash", {kMi}},
    {"gemini-2.5-flash-lite", {kMi}},
    {"gemini-2.0-flash", {kMi}},
    {"gemini-2.0-flash-lite", {kMi}},
    {"gemini-1.5-pro", {2 * kMi}},
    {"gemini-1.5-flash", {kMi}},
    // https://docs.x.ai/docs/models
    {"grok-4", {256'000}},
    {"grok-code-fast-1", {256'000}},
    {"grok-3", {131'072}},
    {"grok-3-mini", {131'072}},
};

}  // namespace

std::string_view maker_of(std::string_view model) {
  const std::string plain = plain_model(model);
  for (const Family& family : kFamilies) {
    if (!plain.starts_with(family.begin)) continue;
    std::string_view rest = std::string_view(plain).substr(family.begin.size());
    if (rest.empty() || rest.front() == '-') return family.maker;
  }
  return {};
}

ContextWindow context_window(std::string_view model) {
  static const std::map<std::string, ContextWindow, std::less<>> kByName = [] {
    std::map<std::string, ContextWindow, std::less<>> windows;
    for (const WindowRow& row : kWindows) windows.emplace(plain_model(row.name), row.window);
    return windows;
  }();
  // Asked of one call after another, most of which are of the model of the one before.
  thread_local std::optional<std::string> asked;
  thread_local ContextWindow window;
  if (asked != model) {
    const ContextWindow* found = find_by_model(kByName, model);
    window = found == nullptr ? ContextWindow{} : *found;
    asked = model;
  }
  return window;
}

int64_t window_of_call(std::string_view model, int64_t recorded, int64_t sent) {
  int64_t limit = recorded;
  if (limit <= 0) {
    const ContextWindow window = context_window(model);
    limit = sent > window.standard ? window.longer : window.standard;
  }
  return limit > 0 && sent <= limit ? limit : -1;
}

}  // namespace xtrace
