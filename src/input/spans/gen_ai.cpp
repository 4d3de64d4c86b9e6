#include "input/spans/gen_ai.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/one_of.h"
#include "input/common/graph_parts.h"
#include "input/common/parsers.h"
#include "input/spans/task_step_draft.h"
#include "input/spans/token_counts.h"

namespace xtrace {

// OpenTelemetry's GenAI conventions, old and new, OpenInference, OpenLLMetry and Monocle call the
// same things by different names, and so did OpenLLMetry and Langtrace once: `llm.usage.…`. MLflow
// and Langfuse have words of their own.
// Google's ADK and others put some only into the span's name.

namespace {

using Role = GenAi::Role;

constexpr std::pair<std::string_view, Role> kRoles[] = {
    {"invoke_agent", Role::agent},
    {"AGENT", Role::agent},
    {"agent", Role::agent},
    {"agentic.invocation", Role::agent},
    {"execute_tool", Role::tool},
    {"TOOL", Role::tool},
    {"tool", Role::tool},
    {"agentic.tool.invocation", Role::tool},
    {"agentic.mcp.invocation", Role::tool},
    {"ai.toolCall", Role::tool},
    {"retrieval", Role::retrieval},
    {"RETRIEVER", Role::retrieval},
    {"retriever", Role::retrieval},
    {"search_memory", Role::retrieval},
    {"chat", Role::model},
    {"chat.completion", Role::model},
    {"chat.completions", Role::model},  // of Semantic Kernel, as the next ones
    {"chat.streaming_completions", Role::model},
    {"text.completions", Role::model},
    {"text.streaming_completions", Role::model},
    {"generate_content", Role::model},
    {"text_completion", Role::model},
    {"completion", Role::model},
    {"embeddings", Role::model},
    {"embedding", Role::model},
    {"LLM", Role::model},
    {"CHAT_MODEL", Role::model},
    {"EMBEDDING", Role::model},
    {"generation", Role::model},
    {"inference", Role::model},
    {"inference.framework", Role::model},
    {"inference.modelapi", Role::model},
    {"llm_request", Role::model},
};

Role role_of(std::string_view operation) {
  for (const auto& [word, role] : kRoles)
    if (word == operation) return role;
  return Role::other;
}

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

/// Claude Code counts the attempts that a request took, all in one span; of others each is a span.
uint16_t read_retries(const SpanTags& tags) {
  int64_t retries = tags.count(Tag::retries);
  if (retries < 0 && tags.emitter().starts_with("com.anthropic.claude_code"))
    for (const SpanTags::Other& other : tags.others())
      if (other.key == "attempt") retries = SpanTags::count_in(other.value) - 1;
  return static_cast<uint16_t>(std::clamp<int64_t>(retries, 0, UINT16_MAX));
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

}  // namespace

int64_t read_cost(const SpanTags& tags) {
  return tags.has(Tag::cost) ? read_dollars(tags.value(Tag::cost)) : kNoCount;
}

std::string_view model_of(const SpanTags& tags) {
  std::string_view model = tags.text(Tag::model);
  return model.empty() && asks_model(tags) ? tags.text(Tag::plain_model) : model;
}

std::string_view provider_of(const SpanTags& tags) {
  std::string_view provider = tags.text(Tag::provider);
  return provider.empty() && asks_model(tags) ? tags.text(Tag::plain_provider) : provider;
}

bool read_gen_ai(const SpanTags& tags, std::string_view operation, Shard& shard, GenAi& told) {
  std::string_view agent = tags.text(Tag::agent), tool = tags.text(Tag::tool);
  std::string_view model = model_of(tags), named = operation;
  told.role = tags.is_provider_call() ? Role::model : role_of(tags.text(Tag::operation));
  if (told.role == Role::other) {
    if (take_word(named, "invoke_agent") || take_word(named, "agent_run"))
      told.role = Role::agent;
    else if (take_word(named, "execute_tool") || !tool.empty())
      told.role = Role::tool;
  } else if (!take_word(named, "invoke_agent") && !take_word(named, "agent_run")) {
    take_word(named, "execute_tool");
  }
  const bool is_merged = is_of_several_tools(tool.empty() ? named : tool);
  if (is_merged) told.role = Role::other, tool = {};
  const SpanTags::Entity* entity = tags.entity("agent");
  if (agent.empty() && entity != nullptr) agent = entity->name;
  if (entity != nullptr) told.caller = shard.intern(entity->from_agent);
  if (told.role == Role::other && tags.has(Tag::handed_from) && tags.has(Tag::handed_to)) {
    // Whose next run it is about (link/hops/name_agents.cpp).
    told.caller = shard.intern(tags.text(Tag::handed_from));
    agent = tags.text(Tag::handed_to);
  }
  if (const SpanTags::Entity* of = tags.entity("model."); model.empty() && of != nullptr)
    model = of->name;
  if (told.role == Role::tool && tool.empty()) tool = tags.text(Tag::plain_tool);
  if (told.role == Role::tool && tool.empty())
    for (std::string_view type : {"tool", "mcp"})
      if (const SpanTags::Entity* of = tags.entity(type); tool.empty() && of != nullptr)
        tool = of->name;
  // OpenLLMetry names both by one tag, and whoever gives no name at all names the span so.
  if (std::string_view own = tags.text(Tag::entity); !own.empty()) named = own;
  if (told.role == Role::agent && agent.empty()) agent = named;
  if (told.role == Role::tool && tool.empty()) tool = named;
  const CountedTokens counted = count_tokens(tags);
  told.tokens = counted.tokens;
  told.token_rule = counted.rule;
  told.cost = read_cost(tags);
  told.context_limit = read_context_limit(tags);
  told.retries = read_retries(tags);
  bool is_named = !model.empty() || is_reasoning(operation);
  if (told.role == Role::other && is_named && told.tokens.input >= 0) told.role = Role::model;
  told.agent = shard.intern(agent);
  told.tool = shard.intern(tool);
  if (told.role == Role::tool) told.hands_to = shard.intern(read_handover(tags, tool));
  told.model = shard.intern(model);
  told.provider = shard.intern(provider_of(tags));
  if (!is_merged) told.tool_call = shard.intern(tags.text(Tag::tool_call));
  std::string_view searched = tags.text(Tag::searched);
  if (const SpanTags::Entity* of = tags.entity("vectorstore"); searched.empty() && of != nullptr)
    searched = of->name;
  told.searched = shard.intern(searched);
  return told.role != Role::other || told.agent || told.model || told.tool_call ||
         told.tokens != Tokens{} || told.cost >= 0 || told.context_limit >= 0;
}

}  // namespace xtrace
