#include "input/spans/tag_words.h"

#include <algorithm>
#include <array>
#include <optional>

namespace xtrace {

// Libraries agree on what they count and disagree on how to spell it, even between their versions:
// dots, underscores or capitals join the words, in any order. So a name is a namespace and a set of
// words.

namespace {

// Words that distinguish counts. A word that adds nothing (details) has no bit.
enum Word : uint32_t {
  kInput = 1U << 0U,
  kOutput = 1U << 1U,
  kTotal = 1U << 2U,
  kCache = 1U << 3U,
  kRead = 1U << 4U,
  kWrite = 1U << 5U,
  kMiss = 1U << 6U,
  kThought = 1U << 7U,
  kTool = 1U << 8U,
  kCall = 1U << 9U,
  kId = 1U << 10U,
  kCost = 1U << 11U,
  kUsd = 1U << 12U,
  kTokens = 1U << 13U,
};

struct Spelling {
  std::string_view text;
  uint32_t words;
  uint8_t rank = 0;  ///< of two names of one thing in one namespace, the lower one counts
};

constexpr Spelling kSpellings[] = {
    {"input", kInput},
    {"prompt", kInput, 1},
    {"in", kInput, 2},
    {"output", kOutput},
    {"completion", kOutput, 1},
    {"candidates", kOutput, 1},  // Gemini: candidates_token_count
    {"generated", kOutput, 2},
    {"out", kOutput, 2},
    {"total", kTotal},
    {"cache", kCache},
    {"cached", kCache, 1},
    {"read", kRead},
    {"reads", kRead},
    {"hit", kRead, 1},      // DeepSeek: prompt_cache_hit_tokens
    {"content", kRead, 1},  // Gemini: cached_content_token_count
    {"creation", kWrite},
    {"write", kWrite, 1},
    {"writes", kWrite, 1},
    {"created", kWrite, 2},
    {"written", kWrite, 2},
    {"miss", kMiss},  // DeepSeek: prompt_cache_miss_tokens
    {"no", kMiss},    // AI SDK 6: inputTokenDetails.noCacheTokens
    {"uncached", kCache | kMiss},
    {"reasoning", kThought},
    {"thoughts", kThought, 1},
    {"thinking", kThought, 1},
    {"tool", kTool},
    {"call", kCall},
    {"use", kCall},
    {"id", kId},
    {"cost", kCost},
    {"usd", kUsd},
    {"token", kTokens},
    {"tokens", kTokens},
    {"count", 0},
    {"detail", 0},
    {"details", 0},
};

struct Meaning {
  uint32_t words;
  Tag tag;
};

constexpr Meaning kMeanings[] = {
    {kInput, Tag::tokens_in},
    {kOutput, Tag::tokens_out},
    {kTotal, Tag::tokens_total},
    {kCache, Tag::cache_read},
    {kCache | kInput, Tag::cache_read},
    {kCache | kRead, Tag::cache_read},
    {kCache | kRead | kInput, Tag::cache_read},
    {kCache | kWrite, Tag::cache_creation},
    {kCache | kWrite | kInput, Tag::cache_creation},
    {kCache | kMiss, Tag::tokens_uncached},
    {kCache | kMiss | kInput, Tag::tokens_uncached},
    {kThought, Tag::tokens_thought},
    {kThought | kOutput, Tag::tokens_thought},
    {kTool, Tag::tokens_of_tools},
    {kTool | kInput, Tag::tokens_of_tools},
    {kTool | kCall | kInput, Tag::tokens_of_tools},  // Gemini: tool_use_prompt_token_count
};

constexpr Meaning kMeaningsOfOthers[] = {
    {kCost, Tag::cost},
    {kCost | kTotal, Tag::cost},
    {kCost | kUsd, Tag::cost},
    {kCost | kTotal | kUsd, Tag::cost},
    {kTool | kId, Tag::tool_call},
    {kTool | kCall | kId, Tag::tool_call},
};

/// How the names of a convention begin. If several describe one span, the earlier row wins.
struct Namespace {
  std::string_view prefix;
  /// A name in it counts tokens, also one without the word: `llm.token_count.prompt`.
  bool counts_tokens = true;
  /// Its input excludes what a cache supplied: it is the vendor's own count.
  bool is_as_vendor = false;
};

constexpr Namespace kNamespaces[] = {
    // OpenTelemetry's GenAI conventions, 1.27 (prompt_tokens) to 1.40 (cache_read.input_tokens):
    // https://opentelemetry.io/docs/specs/semconv/registry/attributes/gen-ai/ (2026-11-28). Sentry
    // writes input_tokens.cached, pydantic-ai cache_read_tokens, others cached_input_tokens.
    {.prefix = "gen_ai.usage."},
    {.prefix = "gen_ai.", .counts_tokens = false},
    // OpenInference and Phoenix:
    // https://arize-ai.github.io/openinference/spec/attributes/semantic-conventions.html
    {.prefix = "llm.token_count."},
    // The vendor's own counts, which pydantic-ai and Logfire add.
    {.prefix = "gen_ai.usage.details.", .is_as_vendor = true},
    // Braintrust (prompt_cached_tokens) and exporters of one's own
    {.prefix = "metrics.", .counts_tokens = false},
    // Claude Code, Codex and Gemini CLI use no namespace at all.
    {.prefix = "", .counts_tokens = false},
    {.prefix = "tokens."},
    {.prefix = "cost.", .counts_tokens = false},
    // OpenLLMetry (Traceloop) and Langtrace before OpenTelemetry had conventions:
    // https://github.com/traceloop/openllmetry, packages/opentelemetry-semantic-conventions-ai
    {.prefix = "llm.usage."},
    {.prefix = "llm.", .counts_tokens = false},
    {.prefix = "usage."},
    {.prefix = "usage_metadata."},
    // https://mlflow.org/docs/latest/genai/tracing/ (2026-11-28)
    {.prefix = "mlflow.chat.tokenUsage/"},
    // https://langfuse.com/integrations/native/opentelemetry (2026-11-28)
    {.prefix = "langfuse.observation.usage_details/"},
    // Semantic Kernel
    {.prefix = "gen_ai.response.", .counts_tokens = false},
    // Vercel's AI SDK, 3 (promptTokens), 5 (inputTokens, cachedInputTokens) and 6
    // (inputTokenDetails.cacheReadTokens): https://ai-sdk.dev/docs/ai-sdk-core/telemetry
    {.prefix = "ai.usage."},
    {.prefix = "ai.", .counts_tokens = false},
    // Google's ADK: the answer of Gemini as it came
    {.prefix = "gcp.vertex.agent.llm_response/usage_metadata/"},
};
constexpr uint8_t kRanks = 4;  ///< of spellings in one namespace

bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}

struct Words {
  uint32_t all = 0;
  uint8_t rank = 0;
};

/// Nothing if a word among them changes what is counted (audio, 1h, cumulative).
std::optional<Words> read_words(std::string_view name) {
  constexpr size_t kLongest = 12;
  Words read;
  char word[kLongest];
  size_t length = 0;
  auto take = [&] {
    if (length == 0) return true;
    const std::string_view text(word, length);
    length = 0;
    const auto* known = std::ranges::find(kSpellings, text, &Spelling::text);
    if (known == std::end(kSpellings)) return false;
    read.all |= known->words;
    read.rank = std::max(read.rank, known->rank);
    return true;
  };
  char before = '\0';
  for (const char c : name) {
    const bool begins = is_upper(c) && is_lower(before);
    if (begins && !take()) return std::nullopt;
    if (is_lower(c) || is_upper(c)) {
      if (length == kLongest) return std::nullopt;
      word[length++] = static_cast<char>(is_upper(c) ? c - 'A' + 'a' : c);
    } else if (c == '.' || c == '_' || c == '/' || c == '-') {
      if (!take()) return std::nullopt;
    } else {
      return std::nullopt;
    }
    before = c;
  }
  if (!take()) return std::nullopt;
  return read;
}

NamedTag meant_by(const Words& words, bool counts_tokens) {
  const uint32_t all = words.all & ~static_cast<uint32_t>(kTokens);
  if (counts_tokens || (words.all & kTokens) != 0)
    for (const Meaning& meaning : kMeanings)
      if (meaning.words == all) return {meaning.tag, words.rank};
  if ((words.all & kTokens) == 0)
    for (const Meaning& meaning : kMeaningsOfOthers)
      if (meaning.words == all) return {meaning.tag, words.rank};
  return {};
}

}  // namespace

NamedTag read_tag_words(std::string_view name) {
  NamedTag best;
  size_t longest = 0;
  uint8_t first_rank = 0;
  for (const Namespace& one : kNamespaces) {
    const uint8_t rank = first_rank;
    first_rank = static_cast<uint8_t>(first_rank + kRanks);
    if (!name.starts_with(one.prefix) || (best && one.prefix.size() < longest)) continue;
    const std::optional<Words> words = read_words(name.substr(one.prefix.size()));
    if (!words) continue;
    NamedTag named = meant_by(*words, one.counts_tokens);
    // Without a namespace, a cost without a currency may be anything.
    const bool is_vague = one.prefix.empty() && (words->all & kUsd) == 0;
    if (!named || (is_vague && named.tag == Tag::cost)) continue;
    if (one.is_as_vendor && named.tag == Tag::tokens_in) named.tag = Tag::tokens_uncached;
    named.rank = static_cast<uint8_t>(named.rank + rank);
    best = named;
    longest = one.prefix.size();
  }
  return best;
}

std::string label_of(std::string_view name) {
  std::string label(name);
  std::ranges::replace(label, '.', '_');
  return label;
}

std::string name_in_namespace(std::string_view label) {
  std::string_view longest;
  for (const Namespace& one : kNamespaces)
    if (one.prefix.size() > longest.size() && label_of(label).starts_with(label_of(one.prefix)))
      longest = one.prefix;
  return std::string(longest) + std::string(label.substr(longest.size()));
}

NamedTag read_usage_field(std::string_view path) {
  const std::optional<Words> words = read_words(path);
  return words ? meant_by(*words, true) : NamedTag{};
}

namespace {

using Kind = Remark::Kind;

/// What steps are described by, and the names for it. `convert` writes the keys.
struct RemarkNames {
  std::string_view key;
  std::string_view names;
  Kind kind = Kind::name;
};

constexpr RemarkNames kRemarkRows[] = {
    {"ruleId", "ruleId|rule_id|rule.id|rule"},
    {"severity", "severity|issue.severity|finding.severity"},
    {"file", "file|file.path|code.filepath|code.file.path"},
    {"line", "line|code.lineno|code.line.number", Kind::number},
    {"issuesCount", "issuesCount|issues.count", Kind::number},
    {"testSuite", "testSuite|test_suite|test.suite|test.suite.name"},
    {"testName", "testName|test.name|test.case.name"},
    {"testsPassed", "testsPassed|tests.passed|test.passed", Kind::number},
    {"testsFailed", "testsFailed|tests.failed|test.failed", Kind::number},
    {"coverage", "coverage|test.coverage", Kind::number},
    {"oldModel", "oldModel|old_model|model.old"},
    {"newModel", "newModel|new_model|model.new"},
    {"reason", "reason|errorReason|switch.reason|retry.reason", Kind::payload},
    {"diffSummary", "diffSummary|diff.summary", Kind::payload},
    {"message", "message", Kind::payload},
    {"why", "why", Kind::payload},
    {"how", "how", Kind::payload},
    {"alternatives", "alternatives", Kind::payload},
    {"attempt", "attempt|retry.count|retry.attempt", Kind::number},
    {"backoffMs", "backoffMs|retry.backoff_ms", Kind::number},
    {"messageCount", "messageCount|message.count", Kind::number},
    {"contextStrategy", "contextStrategy|context.strategy"},
    {"messagesPruned", "messagesPruned|context.messages_pruned", Kind::number},
    {"cpuUtilization",
     "cpuUtilization|cpu_utilization|cpu.utilization|system.cpu.utilization|"
     "process.cpu.utilization",
     Kind::number},
    {"gpuUtilization", "gpuUtilization|gpu_utilization|gpu.utilization|hw.gpu.utilization",
     Kind::number},
    {"memoryPressure", "memoryPressure|memory_pressure|memory.pressure|system.memory.utilization",
     Kind::number},
    {"memoryBytes", "memoryBytes|memory.usage|process.memory.usage", Kind::number},
    {"queueWaitMs",
     "queueWaitMs|queue_wait_ms|queue.wait_ms|queue.wait.ms|queue.wait_time|queue.wait.time|"
     "queue.wait.duration",
     Kind::number},
};

/// By name, so that they can be searched.
constexpr auto kRemarkNames = [] {
  std::array<RemarkName, count_names(kRemarkRows)> names;
  size_t count = 0;
  for (const RemarkNames& row : kRemarkRows)
    each_name(row.names, [&](std::string_view name, uint8_t) {
      names[count++] = {name, row.key, row.kind};
    });
  std::ranges::sort(names, {}, &RemarkName::name);
  return names;
}();

}  // namespace

const RemarkName* find_remark_name(std::string_view name) {
  auto found = std::lower_bound(kRemarkNames.begin(), kRemarkNames.end(), name,
                                [](const RemarkName& a, std::string_view b) { return a.name < b; });
  return found != kRemarkNames.end() && found->name == name ? &*found : nullptr;
}

}  // namespace xtrace
