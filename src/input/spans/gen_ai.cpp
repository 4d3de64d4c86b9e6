#include "input/spans/gen_ai.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include "base/lower.h"
#include "base/one_of.h"
#include "base/word_table.h"
#include "input/common/graph_parts.h"
#include "input/common/parsers.h"
#include "input/spans/task_step_draft.h"

namespace xtrace {

// OpenTelemetry's GenAI conventions, old and new, OpenInference, OpenLLMetry and Monocle call the
// same things by different names, and so did OpenLLMetry and Langtrace once: `llm.usage.…`. MLflow
// and Langfuse have words of their own.
// Google's ADK and others put some only into the span's name.

namespace {

using Role = GenAi::Role;

constexpr WordRow<Role> kRoles[] = {
    {Role::agent, {"invoke_agent", "AGENT", "agent", "agentic.invocation"}},
    {Role::tool,
     {"execute_tool", "TOOL", "tool", "agentic.tool.invocation", "agentic.mcp.invocation",
      "ai.toolCall"}},
    {Role::retrieval, {"retrieval", "RETRIEVER", "retriever", "search_memory"}},
    {Role::model,
     {"chat", "chat.completion", "generate_content", "text_completion", "completion", "embeddings",
      "embedding", "LLM", "CHAT_MODEL", "EMBEDDING", "generation", "inference",
      "inference.framework", "inference.modelapi", "llm_request",
      // of Semantic Kernel:
      "chat.completions", "chat.streaming_completions", "text.completions",
      "text.streaming_completions"}},
};

/// `invoke_agent planner`, `agent_run [planner]`
bool take_word(std::string_view& name, std::string_view word) {
  if (!name.starts_with(word) || name.size() <= word.size() || name[word.size()] != ' ')
    return false;
  name.remove_prefix(word.size() + 1);
  if (name.starts_with('[') && name.ends_with(']')) name = name.substr(1, name.size() - 2);
  return true;
}

/// Does Google's ADK call the results of tools that ran at once so, put together? Each of these has
/// a span of its own.
bool is_of_several_tools(std::string_view tool) {
  return is_one_of(tool, {"(merged tools)", "(merged)"});
}

/// Only then is `model` the name of one.
bool asks_model(const SpanTags& tags) {
  return tags.has(Tag::query) || tags.count(Tag::tokens_in) >= 0 ||
         tags.count(Tag::tokens_out) >= 0;
}

/// The agent that a tool's input names; empty: it names none.
std::string read_target(const SpanTags& tags) {
  std::string target;
  const auto read = [&](json::element input) {
    for (const char* key : {"agent_name", "agent", "to_agent", "target_agent", "target"})
      if (target.empty()) target = json::text_at(input, key);
  };
  if (!tags.has(Tag::tool_input)) return target;
  const json::element input = tags.value(Tag::tool_input);
  json::element root;
  Parsers parsers;
  if (!json::is_string(input))
    read(input);
  else if (parsers.parse(json::text(input), root))
    read(root);
  return target;
}

/// Whom a tool hands the conversation to. Google's ADK has one such tool, whose input names the
/// agent; OpenAI's Agents SDK and LangGraph have one for each agent, which names it
/// (https://google.github.io/adk-docs/agents/multi-agents,
/// https://openai.github.io/openai-agents-python/handoffs, 2026-11-28).
std::string read_handover(const SpanTags& tags, std::string_view tool) {
  for (std::string_view prefix :
       {"transfer_to_", "transfer_back_to_", "handoff_to_", "hand_off_to_"})
    if (tool.starts_with(prefix)) {
      const std::string_view target = tool.substr(prefix.size());
      return target == "agent" ? read_target(tags) : std::string(target);
    }
  return {};
}

/// The limit itself, or what is used and what is left of it.
int64_t read_context_limit(const SpanTags& tags) {
  if (int64_t limit = tags.count(Tag::context_limit); limit > 0) return limit;
  const int64_t used = tags.count(Tag::context_used), left = tags.count(Tag::context_available);
  return used >= 0 && left >= 0 ? sum_of_known({used, left}) : kNoCount;
}

std::string_view model_of(const SpanTags& tags) {
  std::string_view model = tags.text(Tag::model);
  return model.empty() && asks_model(tags) ? tags.text(Tag::plain_model) : model;
}

std::string_view provider_of(const SpanTags& tags) {
  std::string_view provider = tags.text(Tag::provider);
  return provider.empty() && asks_model(tags) ? tags.text(Tag::plain_provider) : provider;
}

}  // namespace

int64_t read_cost(const SpanTags& tags) {
  return tags.has(Tag::cost) ? read_dollars(tags.value(Tag::cost)) : kNoCount;
}

// Is what came from a cache part of the input count? Anthropic and Bedrock have it apart, OpenAI
// and Google within. OpenTelemetry and OpenInference say that it is part of it, whoever was asked;
// some libraries add up to that, some did not always, and some pass on what they were stated.

namespace {

enum class Cache : uint8_t { within, apart };

/// What is known of a program that writes spans.
struct Emitter {
  std::string_view scope{};  ///< its instrumentation scope, or the beginning of it
  Cache cache = Cache::within;
  /// Only of models of vendors that count it apart.
  bool passes_on = false;
  /// Its total is input and output added up, whatever these hold, and so shows nothing.
  bool adds_up = false;
  /// A span is of all attempts that a request took, and counts them; of others each is a span.
  bool counts_attempts = false;
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
    // Vercel's AI SDK adds up since version 6, which shows what was in no cache as well.
    {.scope = "ai", .cache = Cache::apart, .passes_on = true, .adds_up = true},
    {.scope = "gcp.vertex.agent"},
    {.scope = "com.anthropic.claude_code", .cache = Cache::apart, .counts_attempts = true},
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

/// Does the version `4.9.1` precede `4.31.0`? One that does not tell is a new one.
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

uint16_t read_retries(const SpanTags& tags) {
  int64_t retries = tags.count(Tag::retries);
  for (const SpanTags::Other& other : tags.others()) {
    if (retries >= 0 || other.key != "attempt") continue;
    const Emitter* const emitter = emitter_of(tags);
    if (emitter == nullptr || !emitter->counts_attempts) break;
    retries = SpanTags::count_in(other.value) - 1;
  }
  return static_cast<uint16_t>(std::clamp<int64_t>(retries, 0, UINT16_MAX));
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

bool read_gen_ai(const SpanTags& tags, std::string_view operation, Shard& shard, GenAi& stated) {
  std::string_view agent = tags.text(Tag::agent), tool = tags.text(Tag::tool);
  std::string_view model = model_of(tags), named = operation;
  stated.role = tags.is_provider_call()
                    ? Role::model
                    : find_meaning(kRoles, tags.text(Tag::operation), Role::other);
  if (stated.role == Role::other) {
    if (take_word(named, "invoke_agent") || take_word(named, "agent_run"))
      stated.role = Role::agent;
    else if (take_word(named, "execute_tool") || !tool.empty())
      stated.role = Role::tool;
  } else if (!take_word(named, "invoke_agent") && !take_word(named, "agent_run")) {
    take_word(named, "execute_tool");
  }
  const bool is_merged = is_of_several_tools(tool.empty() ? named : tool);
  if (is_merged) stated.role = Role::other, tool = {};
  const SpanTags::Entity* entity = tags.entity("agent");
  if (agent.empty() && entity != nullptr) agent = entity->name;
  if (entity != nullptr) stated.caller = shard.intern(entity->from_agent);
  if (stated.role == Role::other && tags.has(Tag::handed_from) && tags.has(Tag::handed_to)) {
    // Whose next run it is about (link/hops/name_agents.cpp).
    stated.caller = shard.intern(tags.text(Tag::handed_from));
    agent = tags.text(Tag::handed_to);
  }
  if (const SpanTags::Entity* of = tags.entity("model."); model.empty() && of != nullptr)
    model = of->name;
  if (stated.role == Role::tool && tool.empty()) tool = tags.text(Tag::plain_tool);
  if (stated.role == Role::tool && tool.empty())
    for (std::string_view type : {"tool", "mcp"})
      if (const SpanTags::Entity* of = tags.entity(type); tool.empty() && of != nullptr)
        tool = of->name;
  // OpenLLMetry names both by one tag, and whoever gives no name at all names the span so.
  if (std::string_view own = tags.text(Tag::entity); !own.empty()) named = own;
  if (stated.role == Role::agent && agent.empty()) agent = named;
  if (stated.role == Role::tool && tool.empty()) tool = named;
  const CountedTokens counted = count_tokens(tags);
  stated.tokens = counted.tokens;
  stated.token_rule = counted.rule;
  stated.cost = read_cost(tags);
  stated.context_limit = read_context_limit(tags);
  stated.retries = read_retries(tags);
  bool is_named = !model.empty() || is_reasoning(operation);
  if (stated.role == Role::other && is_named && stated.tokens.input >= 0) stated.role = Role::model;
  stated.agent = shard.intern(agent);
  stated.tool = shard.intern(tool);
  if (stated.role == Role::tool) stated.hands_to = shard.intern(read_handover(tags, tool));
  stated.model = shard.intern(model);
  stated.provider = shard.intern(provider_of(tags));
  if (!is_merged) stated.tool_call = shard.intern(tags.text(Tag::tool_call));
  std::string_view searched = tags.text(Tag::searched);
  if (const SpanTags::Entity* of = tags.entity("vectorstore"); searched.empty() && of != nullptr)
    searched = of->name;
  stated.searched = shard.intern(searched);
  return stated.role != Role::other || stated.agent || stated.model || stated.tool_call ||
         stated.tokens != Tokens{} || stated.cost >= 0 || stated.context_limit >= 0;
}

}  // namespace xtrace
