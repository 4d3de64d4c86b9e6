#include "prices/model_name.h"

#include <algorithm>

#include "base/digits.h"
#include "base/one_of.h"
#include "facts/terms.h"

namespace xtrace {

namespace {

/// Those whose own prices the table has, and roads that lead to them at those prices.
constexpr std::string_view kKnownPaths[] = {
    "anthropic", "openai",   "google",        "gemini",     "models",  "publishers", "vertex_ai",
    "bedrock",   "converse", "azure",         "openrouter", "mistral", "mistralai",  "deepseek",
    "xai",       "x-ai",     "litellm_proxy", "vertex-ai",  "invoke",  "azure_ai",   "azure-ai",
    "responses", "chat",     "moonshotai",    "moonshot",   "kimi",    "z-ai",       "zai",
    "minimax",   "qwen",     "dashscope",     "amazon",     "cohere"};
/// Words for vendors that libraries write before a model's name, with a colon (`openai:gpt-4o`) or
/// a slash: https://ai.pydantic.dev/models/overview/ and LangChain's init_chat_model (read
/// 2026-11). Vendors whose name is also that of a model are missing: Ollama writes tags behind a
/// colon
/// (`mistral:7b`).
constexpr std::string_view kLibraryPaths[] = {
    "openai",           "openai-chat",  "openai-responses", "azure",
    "azure_openai",     "anthropic",    "google",           "google-gla",
    "google-vertex",    "google_genai", "google_vertexai",  "bedrock",
    "bedrock_converse", "xai",          "mistralai",        "openai.chat",
    "openai.responses", "vercel"};
/// In a resource's name nothing before these says more.
constexpr std::string_view kResources[] = {"models", "inference-profile", "foundation-model"};
bool is_known_path(std::string_view path) {
  std::string_view last = path.substr(path.rfind('/') + 1);
  size_t colon = last.rfind(':');  // of an ARN: `arn:aws:…:inference-profile`
  if (is_one_of(colon == std::string_view::npos ? last : last.substr(colon + 1), kResources))
    return true;
  while (!path.empty()) {
    std::string_view word = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(path.size(), word.size() + 1));
    if (!is_one_of(word, kKnownPaths) && !is_one_of(word, kLibraryPaths) && !is_region(word))
      return false;
  }
  return true;
}

/// `claude-4-5-sonnet-…` becomes `claude-sonnet-4-5-…`. Until 3.7 the version comes first.
std::string family_first(std::string name) {
  constexpr std::string_view kClaude = "claude-";
  if (!name.starts_with(kClaude)) return name;
  std::string_view rest = std::string_view(name).substr(kClaude.size());
  size_t digits = rest.find_first_not_of("0123456789-");
  if (digits == std::string_view::npos || digits < 2) return name;
  std::string_view version = rest.substr(0, digits - 1);
  if (version.size() > 3 || version.front() < '4') return name;
  rest.remove_prefix(digits);
  std::string_view family = rest.substr(0, rest.find('-'));
  std::string_view tail = rest.substr(family.size());
  return std::string(kClaude) + std::string(family) + "-" + std::string(version) +
         std::string(tail);
}

/// The next of the words that `-`, `@` and `:` part.
std::string_view take_word(std::string_view& rest) {
  rest.remove_prefix(1);
  std::string_view word = rest.substr(0, rest.find_first_of("-@:["));
  rest.remove_prefix(word.size());
  return word;
}

/// Takes `2024-08-06` behind its year.
bool take_month_and_day(std::string_view& rest) {
  std::string_view left = rest;
  for (int i = 0; i < 2; ++i) {
    if (left.empty() || left.front() != '-') return false;
    if (std::string_view word = take_word(left); word.size() != 2 || !are_digits(word))
      return false;
  }
  rest = left;
  return true;
}

}  // namespace

std::string plain_model(std::string_view name) {
  std::string lower;
  for (size_t i = 0; i < name.size(); ++i) {
    char c = name[i];
    bool is_point =
        c == '.' && i > 0 && is_digit(name[i - 1]) && i + 1 < name.size() && is_digit(name[i + 1]);
    lower += is_point ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  }
  std::string_view plain = lower;
  if (const size_t colon = plain.find(':'); colon != std::string_view::npos)
    if (is_one_of(plain.substr(0, colon), kLibraryPaths)) plain.remove_prefix(colon + 1);
  if (size_t slash = plain.rfind('/'); slash != std::string_view::npos) {
    if (!is_known_path(plain.substr(0, slash))) return {};
    plain.remove_prefix(slash + 1);
  }
  for (const Geography& geography : kGeographies)
    if (plain.starts_with(geography.prefix)) plain.remove_prefix(geography.prefix.size());
  for (std::string_view maker : kBedrockMakers)
    if (plain.starts_with(maker)) plain.remove_prefix(maker.size());
  return family_first(std::string(plain));
}

bool is_decoration(std::string_view rest) {
  constexpr std::string_view kBehind[] = {"latest", "thinking", "beta"};
  while (!rest.empty()) {
    if (rest == "[1m]") return true;
    char before = rest.front();
    if (before != '-' && before != '@' && before != ':') return false;
    std::string_view word = take_word(rest);
    bool is_year = word.size() == 4 && word.starts_with("20");
    bool is_dated = are_digits(word) && is_year && take_month_and_day(rest);
    // 20250929, 0613, 001, and the 0 of v1:0; fewer digits are a version of the model.
    bool is_numbered = are_digits(word) &&
                       (word.size() == 8 || word.size() == 4 || word.size() == 3 || before == ':');
    bool is_version = word.size() == 2 && word[0] == 'v' && is_digit(word[1]);
    bool is_word = word == "latest" || (before == ':' && is_one_of(word, kBehind));
    if (is_dated || is_numbered || is_version || is_word) continue;
    return false;
  }
  return true;
}

}  // namespace xtrace
