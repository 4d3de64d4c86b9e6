#include "input/spans/agent_telemetry.h"

#include <fmt/format.h>

#include <span>
#include <string>

#include "base/hash.h"
#include "base/hex.h"
#include "base/one_of.h"
#include "input/common/graph_parts.h"
#include "input/common/moments.h"
#include "input/spans/span_draft.h"

namespace xtrace {

// What coding agents tell of themselves by OpenTelemetry's logs, an event a record, which is
// written when what it tells of is over:
//
//   Claude Code: `claude_code.api_request`, `.api_error`, `.tool_result` {"session.id", "model",
//     "input_tokens", "cache_read_tokens", …, "cost_usd", "duration_ms", "request_id", "attempt",
//     "tool_name", "tool_use_id", "success": "false", "error"}
//   Codex: `codex.sse_event` with `event.kind` `response.completed`, `codex.tool_result`
//     {"conversation.id", "input_token_count", "cached_token_count", …, "tool_name", "call_id"}
//   Gemini CLI: `gemini_cli.api_response`, `.api_error`, `.tool_call` {"session.id",
//     "input_token_count", "cached_content_token_count", "thoughts_token_count", "function_name"}

namespace {

enum class Tells : uint8_t {
  call,
  failed_call,
  tool_run,
  stream,   ///< a piece of an answer: a call if it is the last one
  request,  ///< that it was sent: a call if that failed, else its answer tells of it
  nothing,  ///< of a call or a run of a tool that another record would not tell of
  unknown,
};

struct Event {
  std::string_view name;
  Tells tells;
};

constexpr Event kClaudeCode[] = {
    {"api_request", Tells::call},           {"api_error", Tells::failed_call},
    {"tool_result", Tells::tool_run},       {"user_prompt", Tells::nothing},
    {"assistant_response", Tells::nothing}, {"tool_decision", Tells::nothing},
    {"api_request_body", Tells::nothing},   {"api_response_body", Tells::nothing},
};
constexpr Event kCodex[] = {
    {"sse_event", Tells::stream},
    {"websocket_event", Tells::stream},
    {"api_request", Tells::request},
    {"tool_result", Tells::tool_run},
    {"user_prompt", Tells::nothing},
    {"tool_decision", Tells::nothing},
    {"websocket_request", Tells::nothing},
    {"websocket_connect", Tells::nothing},
    {"conversation_starts", Tells::nothing},
    {"turn_ttft", Tells::nothing},
    {"startup_phase", Tells::nothing},
};
constexpr Event kGeminiCli[] = {
    {"api_response", Tells::call},
    {"api_error", Tells::failed_call},
    {"tool_call", Tells::tool_run},
    {"api_request", Tells::nothing},
    {"user_prompt", Tells::nothing},
    {"config", Tells::nothing},
    // The same once more, in the words of OpenTelemetry:
    {"gen_ai.client.inference.operation.details", Tells::nothing},
};

struct Agent {
  std::string_view name;
  std::string_view prefix;   ///< of its events
  std::string_view emitter;  ///< how its tokens are counted (gen_ai.cpp), and its scope
  std::span<const Event> events;
};

constexpr Agent kAgents[] = {
    {"Claude Code", "claude_code.", "com.anthropic.claude_code", kClaudeCode},
    {"Codex", "codex.", "codex_cli_rs", kCodex},
    {"Gemini CLI", "gemini_cli.", "gemini-cli", kGeminiCli},
};

/// What their attributes are called in OpenTelemetry's conventions, where those have a word.
struct Renamed {
  std::string_view attribute, tag;
};
constexpr Renamed kRenamed[] = {
    {"conversation.id", "gen_ai.conversation.id"},
    {"model", "gen_ai.response.model"},
    {"tool_name", "gen_ai.tool.name"},
    {"function_name", "gen_ai.tool.name"},
    {"call_id", "gen_ai.tool.call.id"},
    {"error", "error.message"},
    {"error_type", "error.type"},
    {"status_code", "http.response.status_code"},
};

std::string_view renamed(std::string_view attribute) {
  for (const Renamed& one : kRenamed)
    if (one.attribute == attribute) return one.tag;
  return attribute;
}

struct Found {
  const Agent* agent = nullptr;
  Tells tells = Tells::unknown;
  std::string_view event;
};

Found found_as(const Agent& agent, std::string_view name) {
  for (const Event& event : agent.events)
    if (event.name == name) return {&agent, event.tells, event.name};
  return {&agent, Tells::unknown, {}};
}

/// By a name that begins with the agent's; else the library that wrote it shows whose it is.
Found find_event(const AgentRecord& record) {
  for (std::string_view name : record.names)
    for (const Agent& agent : kAgents)
      if (name.starts_with(agent.prefix)) return found_as(agent, name.substr(agent.prefix.size()));
  for (const Agent& agent : kAgents)
    if (record.scope.starts_with(agent.emitter)) return found_as(agent, record.names[1]);
  return {};
}

/// What no tag of a span tells.
struct Said {
  std::string_view kind, endpoint;
  Duration took = kNoDuration;
};

void read_attributes(const AgentRecord& record, Tells tells, Said& said, SpanTags& tags) {
  if (!record.has_attributes) return;
  each_tag(record.attributes, [&](std::string_view key, json::element value) {
    if (key == "event.kind") said.kind = json::text(value);
    if (key == "endpoint") said.endpoint = json::text(value);
    // Of a piece of an answer it is how long was waited for that piece.
    if (key == "duration_ms" && tells != Tells::stream) said.took = read_milliseconds(value);
    tags.read_tag(renamed(key), value);
  });
}

bool has_failed(const SpanTags& tags) {
  return tags.is_false(Tag::success) || tags.count(Tag::http_status) >= 400 ||
         tags.has(Tag::failure);
}

/// What Codex asks for beside answers is no call of a model.
bool is_of_model(std::string_view endpoint) {
  return endpoint.empty() || endpoint.ends_with("responses") || endpoint.ends_with("completions");
}

/// What the record comes to, once its attributes are known.
Tells settled(Tells tells, const Said& said, const SpanTags& tags) {
  if (tells == Tells::stream) {
    if (said.kind == "response.failed") return Tells::failed_call;
    const bool is_last = said.kind == "response.completed" && tags.has(Tag::tokens_in);
    return is_last ? Tells::call : Tells::nothing;
  }
  if (tells == Tells::request)
    return has_failed(tags) && is_of_model(said.endpoint) ? Tells::failed_call : Tells::nothing;
  return tells;
}

/// Of what has no name of its own: by what it says. Codex writes each record twice, a moment apart
/// and with other attributes beside these.
std::string made_id(const AgentRecord& record, std::string_view event) {
  constexpr std::string_view kTelling[] = {
      "session.id",         "conversation.id", "event.sequence",
      "prompt_id",          "model",           "attempt",
      "duration_ms",        "tool_name",       "input_token_count",
      "output_token_count", "input_tokens",    "output_tokens",
      "function_name"};
  uint64_t hash = hash_of(event), moment = 0;
  if (record.has_attributes)
    each_tag(record.attributes, [&](std::string_view key, json::element value) {
      if (key == "event.timestamp") moment = hash_of(written(value));
      if (is_one_of(key, kTelling)) hash += chain(hash_of(key), hash_of(written(value)));
    });
  if (moment == 0) moment = static_cast<uint64_t>(record.time.time_since_epoch().count());
  return "event-" + hex(chain(hash, moment)).substr(0, 12);
}

}  // namespace

bool is_of_agent(const AgentRecord& record) {
  return find_event(record).agent != nullptr;
}

bool is_of_agent_log(std::string_view operation) {
  for (const Agent& agent : kAgents)
    if (operation.starts_with(agent.prefix))
      return found_as(agent, operation.substr(agent.prefix.size())).tells != Tells::unknown;
  return false;
}

bool add_agent_record(const AgentRecord& record, Shard& shard) {
  const Found found = find_event(record);
  SpanDraft draft;
  if (record.resource != nullptr) draft.tags = *record.resource;
  draft.tags.set_emitter(found.agent->emitter);
  Said said;
  read_attributes(record, found.tells, said, draft.tags);
  const Tells tells = settled(found.tells, said, draft.tags);
  if (tells == Tells::unknown)
    shard.complain(Complaint::Kind::unknown_record, record.at,
                   fmt::format("a {} log record that is neither a model call nor a tool execution",
                               found.agent->name));
  if (tells == Tells::unknown) return true;
  if (tells == Tells::nothing) return false;
  const bool is_tool = tells == Tells::tool_run;
  const std::string_view name = draft.tags.text(is_tool ? Tag::tool_call : Tag::request);
  const std::string operation = fmt::format("{}{}", found.agent->prefix, found.event);
  Span& span = draft.span;
  span.source = record.at;
  span.kind = SpanKind::internal;
  span.id = shard.intern(name.empty() ? made_id(record, found.event) : std::string(name));
  span.trace = record.trace ? record.trace : shard.intern(draft.tags.text(Tag::session));
  if (record.span) draft.parents.push_back({record.span, record.trace, false});
  draft.operation = operation;
  draft.role = is_tool ? GenAi::Role::tool : GenAi::Role::model;
  draft.ending.has_end = true;  // it is written when all is over
  if (tells == Tells::failed_call) draft.ending.state(Outcome::error);
  const bool is_dated = record.time != kNoTime && said.took != kNoDuration;
  set_times(draft, is_dated ? record.time - said.took : record.time, said.took, "time", shard);
  add_span(draft, shard);
  return true;
}

}  // namespace xtrace
