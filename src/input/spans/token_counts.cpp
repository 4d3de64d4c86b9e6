#include "input/spans/token_counts.h"

#include <algorithm>
#include <charconv>

#include "base/lower.h"

namespace xtrace {

// Is what came from a cache part of the input count? Anthropic and Bedrock have it apart, OpenAI
// and Google within. OpenTelemetry and OpenInference say that it is part of it, whoever was asked;
// some libraries add up to that, some did not always, and some pass on what they were told.

namespace {

enum class Cache : uint8_t { within, apart };

/// What is known of a program that writes spans.
struct Emitter {
  std::string_view scope{};  ///< its instrumentation scope, or the beginning of it
  Cache cache = Cache::within;
  /// Only of models of vendors that count it apart.
  bool passes_on = false;
  /// Its total is input and output added up, whatever these hold, and so tells nothing.
  bool adds_up = false;
  /// As Google's models tell it: what they thought, and what tools put into the prompt, is beside
  /// output and input.
  bool as_google = false;
  std::string_view before{};  ///< only of versions before this one
};

/// The first that fits counts.
constexpr Emitter kEmitters[] = {
    {.scope = "xtrace"},
    // OpenInference has counted the cache since it tells of it at all.
    {.scope = "openinference.instrumentation"},
    {.scope = "@arizeai/openinference-instrumentation"},
    // OpenLLMetry adds up for Anthropic, and passes on what Bedrock says.
    {.scope = "opentelemetry.instrumentation.bedrock", .cache = Cache::apart, .adds_up = true},
    {.scope = "opentelemetry.instrumentation"},
    // Its packages for JavaScript add up what the vendor says, whatever that holds.
    {.scope = "@traceloop/instrumentation",
     .cache = Cache::apart,
     .passes_on = true,
     .adds_up = true},
    {.scope = "pydantic-ai"},
    {.scope = "logfire.anthropic", .cache = Cache::apart, .before = "4.31.0"},
    {.scope = "logfire"},
    // Strands passes on what the vendor says, in the words of Bedrock.
    {.scope = "strands", .cache = Cache::apart, .passes_on = true, .adds_up = true},
    // Vercel's AI SDK adds up since version 6, which tells what was in no cache as well.
    {.scope = "ai", .cache = Cache::apart, .passes_on = true, .adds_up = true},
    {.scope = "gcp.vertex.agent"},
    {.scope = "com.anthropic.claude_code", .cache = Cache::apart},
    {.scope = "codex_cli_rs"},
    {.scope = "gemini-cli", .as_google = true},
    // Formats that are no spans of OpenTelemetry:
    {.scope = "langfuse", .cache = Cache::apart},
    {.scope = "langsmith"},
    {.scope = "openai-agents"},
    // Before 2026 as the vendor has it, which its total tells.
    {.scope = "inspect_ai", .cache = Cache::apart},
    {.scope = "mlflow", .adds_up = true},
};

/// `strands.telemetry.tracer` of `strands`
bool is_of(std::string_view scope, std::string_view name) {
  if (!scope.starts_with(name)) return false;
  return scope.size() == name.size() ||
         std::string_view(".-/@_").find(scope[name.size()]) != std::string_view::npos;
}

/// Does the version `4.9.1` stand before `4.31.0`? One that does not tell is a new one.
bool is_before(std::string_view version, std::string_view other) {
  auto take_number = [](std::string_view& rest, int& number) {
    auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    const size_t passed = static_cast<size_t>(end - rest.data()) + 1;  // and the dot
    rest.remove_prefix(std::min(passed, rest.size()));
    return error == std::errc();
  };
  while (!version.empty() && !other.empty()) {
    int mine = 0, its = 0;
    if (!take_number(version, mine) || !take_number(other, its)) return false;
    if (mine != its) return mine < its;
  }
  return false;
}

/// Whether the vendor counts the cache apart.
bool counts_apart(const SpanTags& tags) {
  for (Tag tag : {Tag::provider, Tag::model, Tag::asked_model, Tag::plain_model}) {
    const std::string name = lower(tags.text(tag));
    for (std::string_view part : {"claude", "anthropic", "bedrock"})
      if (name.find(part) != std::string::npos) return true;
  }
  return false;
}

const Emitter* emitter_of(const SpanTags& tags) {
  const std::string_view scope = tags.emitter();
  for (const Emitter& one : kEmitters)
    if (is_of(scope, one.scope) && (!one.passes_on || counts_apart(tags)) &&
        (one.before.empty() || is_before(tags.text(Tag::scope_version), one.before)))
      return &one;
  return nullptr;
}

struct Decision {
  Cache cache = Cache::within;
  TokenRule rule = TokenRule::convention;
};

Decision decide(const SpanTags& tags, const Tokens& tokens, int64_t cached, int64_t thought) {
  if (tags.has(Tag::converted)) return {Cache::within, TokenRule::emitter};
  if (const int64_t uncached = tags.count(Tag::tokens_uncached); uncached >= 0) {
    if (uncached == tokens.input) return {Cache::apart, TokenRule::uncached_told};
    if (sum_of_known({uncached, cached}) == tokens.input)
      return {Cache::within, TokenRule::uncached_told};
  }
  if (cached > tokens.input) return {Cache::apart, TokenRule::cache_exceeds};
  const Emitter* emitter = emitter_of(tags);
  if (const int64_t total = tags.count(Tag::tokens_total); total >= 0) {
    auto adds_up_to = [&](int64_t sum) {
      return sum == total || (thought > 0 && sum_of_known({sum, thought}) == total);
    };
    if (adds_up_to(total_of(tokens))) return {Cache::apart, TokenRule::total};
    const bool tells = emitter == nullptr || !emitter->adds_up;
    if (tells && adds_up_to(sum_of_known({tokens.input, tokens.output})))
      return {Cache::within, TokenRule::total};
  }
  if (emitter != nullptr) return {emitter->cache, TokenRule::emitter};
  return {};
}

/// What the answer states comes before the request, its address and the model that was asked.
Terms terms_of(const SpanTags& tags) {
  Terms terms = terms_stated("service_tier", tags.text(Tag::service_tier));
  terms.add(terms_stated("residency", tags.text(Tag::residency)));
  terms = terms.over(terms_stated("service_tier", tags.text(Tag::asked_service_tier)));
  for (Tag address : {Tag::url, Tag::host})
    terms = terms.over(terms_of_address(tags.text(address)));
  return terms.with_name(terms_of_model(tags.text(Tag::asked_model)));
}

}  // namespace

CountedTokens count_tokens(const SpanTags& tags) {
  CountedTokens counted;
  Tokens& tokens = counted.tokens;
  tokens.input = tags.count(Tag::tokens_in);
  tokens.output = tags.count(Tag::tokens_out);
  if (tokens.input < 0 && tokens.output < 0) return counted;
  tokens.cache_read = tags.count(Tag::cache_read);
  tokens.cache_creation = tags.count(Tag::cache_creation);
  tokens.terms = terms_of(tags);
  for (size_t i = 0; i < kServerTools; ++i) {
    const int64_t uses =
        tags.count(static_cast<Tag>(static_cast<size_t>(Tag::uses_web_search) + i));
    tokens.server_tools.counts[i] = static_cast<int32_t>(std::min<int64_t>(uses, INT32_MAX));
  }
  const int64_t cached = sum_of_known({tokens.cache_read, tokens.cache_creation});
  const int64_t thought = tags.count(Tag::tokens_thought);
  if (cached > 0 && tokens.input >= 0) {
    const Decision decision = decide(tags, tokens, cached, thought);
    counted.rule = decision.rule;
    if (decision.cache == Cache::within) tokens.input = std::max<int64_t>(tokens.input - cached, 0);
  }
  // Google's models count their thoughts apart, and some libraries pass that on.
  const int64_t total = tags.count(Tag::tokens_total);
  const Emitter* emitter = emitter_of(tags);
  const bool as_google = emitter != nullptr && emitter->as_google;
  const bool adds_up = total > 0 && sum_of_known({total_of(tokens), thought}) == total;
  if (thought > 0 && tokens.output >= 0 && (as_google || adds_up))
    tokens.output = sum_of_known({tokens.output, thought});
  if (as_google) tokens.input = sum_of_known({tokens.input, tags.count(Tag::tokens_of_tools)});
  return counted;
}

}  // namespace xtrace
