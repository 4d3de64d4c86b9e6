#include <set>
#include <utility>

#include "input/common/ending.h"
#include "input/common/json_path.h"
#include "input/common/moments.h"
#include "input/common/raw_trace.h"
#include "input/common/record_context.h"
#include "input/transcripts/agent_pass.h"
#include "input/transcripts/message_shape.h"
#include "input/transcripts/record_shape.h"
#include "input/transcripts/utterance_reader.h"

namespace xtrace {

// The chats of Qwen Code: chained as those of Claude Code are, and
// worded as the API of Gemini words them.
//
//   {"uuid", "parentUuid", "sessionId", "timestamp", "cwd", "type": "user"|"assistant", "model",
//    "message": {"role": "user"|"model", "parts": [{"text", "thought"} or {"functionCall": {"id",
//    "name", "args"}}]}, "usageMetadata": {"promptTokenCount" with "cachedContentTokenCount", …}}
//   {…, "type": "tool_result", "message": {"parts": [{"functionResponse": {"id", "response"}}]},
//    "toolCallResult": {"callId", "status"}}
//   {…, "type": "system", "subtype": "custom_title", "systemPayload": {"customTitle"}}
//   {…, "type": "system", "subtype": "chat_compression", "systemPayload": {"info":
//    {"compressionStatus": 1: it went well}, "compressedHistory": [messages]}}
//   {…, "subtype": "ui_telemetry"}, see below
//
// What a session used up is in a file of its own, written when the program ends or clears it:
//
//   {"version", "sessionId", "timestamp", "startTime", "project", "models": {MODEL: {"requests",
//    "inputTokens" with "cachedTokens", "outputTokens", "thoughtsTokens", "totalTokens"}}}
//
// Lines of a subagent's own transcript have "isSidechain", "agentId" and "agentName" too.

namespace {

// What a chat of Qwen Code notes of each answer of its API, for its statistics:
//
//   {…, "type": "system", "subtype": "ui_telemetry", "systemPayload": {"uiEvent": {
//    "event.name": "qwen-code.api_response", "response_id", "model", "duration_ms",
//    "input_token_count" with "cached_content_token_count", "output_token_count",
//    "thoughts_token_count", "total_token_count", "prompt_id"}}}
//
// Those of the chat itself are told by their messages as well. A subagent's are told by nothing
// else, unless it has a transcript (`subagents/SESSION/agent-ID.jsonl`); their prompts are called
// `SESSION#AGENT#N`, and the agent `TYPE-…`.

constexpr UsageShape kQwenTelemetryCounts = {.input = "input_token_count",
                                             .output = "output_token_count",
                                             .cache_read = "cached_content_token_count",
                                             .reasoning = "thoughts_token_count",
                                             .total = "total_token_count",
                                             .input_has_cache = true,
                                             .output_has_reasoning = false};

/// `AGENT` of `SESSION#AGENT#N`; the chat's own prompts have more of the marks in between.
std::string_view agent_of(std::string_view prompt, std::string_view session) {
  if (session.empty() || !prompt.starts_with(session)) return {};
  prompt.remove_prefix(session.size());
  const size_t end = prompt.rfind('#');
  if (!prompt.starts_with('#') || end == 0) return {};
  const std::string_view agent = prompt.substr(1, end - 1);
  return agent.find('#') == agent.npos ? agent : std::string_view{};
}

bool is_in_telemetry(const Utterance& said) {
  return said.kind == Utterance::Kind::answered && said.in_subagent && is_aside(said) &&
         !said.message && said.agent;
}

/// Adds the call of a subagent that the line tells, if it does.
void read_qwen_telemetry(json::element line, const Extent& at, Shard& shard) {
  json::element event, value;
  if (!json::follow(line, "systemPayload/uiEvent", event) ||
      json::text_at(event, "event.name") != "qwen-code.api_response")
    return;
  const std::string_view session = json::text_at(line, "sessionId");
  const std::string_view agent = agent_of(json::text_at(event, "prompt_id"), session);
  if (agent.empty()) return;
  Utterance said;
  said.kind = Utterance::Kind::answered;
  said.outcome = Outcome::ok;
  said.form = Utterance::Form::aside;
  said.in_subagent = true;
  said.source = at;
  said.session = shard.intern(session);
  said.agent = shard.intern(agent);
  said.agent_type = shard.intern(agent.substr(0, agent.rfind('-')));
  said.answer = shard.intern(json::text_at(event, "response_id"));
  said.model = shard.intern(json::text_at(event, "model"));
  said.tokens = read_usage(event, kQwenTelemetryCounts);
  read_time_on(line, "timestamp", said);
  if (json::find(event, "duration_ms", value)) said.took = read_milliseconds(value);
  if (said.took != kNoDuration) said.time = after(said.time, -said.took);
  shard.add(said);
}

constexpr PieceShape kQwenCodePieces[] = {
    kGoogleToolUse,
    google_tool_result({.there = "functionResponse/response/error"}),
    {.type = "text", .says = PieceShape::Says::text, .text = "text", .unless = "thought"},
    {.says = PieceShape::Says::nothing},
};

/// The result of a tool says how it ended beside what the model is told.
void adjust_qwen_code(json::element line, Utterance&, Draft& draft) {
  json::element result;
  if (!json::find(line, "toolCallResult", result)) return;
  if (outcome_named(json::text_at(result, "status")) == Outcome::error)
    for (Block& block : draft.blocks) block.is_error |= block.kind == Block::Kind::tool_result;
}

constexpr MessageShape kQwenCodeMessages = {
    .id = "uuid",
    .after = "parentUuid",
    .session = "sessionId",
    .model = "model",
    .in_subagent = "isSidechain",
    .agent = "agentId",
    .agent_type = "agentName",
    .time = "timestamp",
    .role = "message/role",
    .content = "message/parts",
    .type = "",
    .pieces = kQwenCodePieces,
    .usage = "usageMetadata",
    .counts = {.input = "promptTokenCount",
               .output = "candidatesTokenCount",
               .cache_read = "cachedContentTokenCount",
               .reasoning = "thoughtsTokenCount",
               .total = "totalTokenCount",
               .input_has_cache = true,
               .output_has_reasoning = false},
    .adjust = adjust_qwen_code,
};

/// Reads what the conversation continues with in place of what was said before.
void read_compressed(json::element record, Draft& draft) {
  json::element history, parts;
  if (!json::follow(record, "systemPayload/compressedHistory", history)) return;
  draft.role = Message::Role::other;
  json::items(history, [&](json::element message) {
    if (json::find(message, "parts", parts))
      json::items(parts, [&](json::element part) { add_text(json::text_at(part, "text"), draft); });
  });
}

/// A compression that failed changes nothing.
void add_compaction(const RecordMatcher& record, const Part& whole, Utterance&,
                    RecordContext& context) {
  Shard& shard = context.shard;
  if (json::count_on(record, "systemPayload/info/compressionStatus", 1) != 1) return;
  Utterance said;
  read_time_on(record, "timestamp", said);
  said.source = whole.at;
  said.session = shard.intern(json::text_at(record, "sessionId"));
  said.after = shard.intern(json::text_at(record, "parentUuid"));
  said.is_chained = true;
  said.kind = Utterance::Kind::compacted;
  shard.add(said);
  said.kind = Utterance::Kind::asked;
  said.id = shard.intern(json::text_at(record, "uuid"));
  Draft& draft = cleared(context.draft);
  read_compressed(record, draft);
  add_utterance(said, draft, context);
}

/// A record counts from the start of a program on; one that is written later replaces it.
constexpr UsageRecord kQwenSession = {.terms = kSessionSoFar,
                                      .counts = {.input = "inputTokens",
                                                 .output = "outputTokens",
                                                 .cache_read = "cachedTokens",
                                                 .reasoning = "thoughtsTokens",
                                                 .total = "totalTokens",
                                                 .input_has_cache = true,
                                                 .output_has_reasoning = false},
                                      .by_model = "models",
                                      .calls = "requests",
                                      .since = "startTime|timestamp"};

void read_telemetry(const RecordMatcher& record, const Part& whole, Utterance&,
                    RecordContext& context) {
  read_qwen_telemetry(record, whole.at, context.shard);
}

constexpr SessionShape kQwenChat = {
    .id = "sessionId", .project = "cwd", .summary = "systemPayload/customTitle"};

/// Removes calls of telemetry of subagents that have a transcript. An id may differ there, so a
/// transcript of the same type counts too.
void drop_duplicate_calls(RawTrace& trace) {
  std::set<std::pair<StringId, StringId>> told;  // by session: subagents, and their types
  const auto is_qwen = [&](const Utterance& said) {
    return said.in_subagent && trace.sources[said.source.file].format == "qwen-code";
  };
  for (const Utterance& said : trace.utterances) {
    if (!is_qwen(said) || is_in_telemetry(said)) continue;
    told.insert({said.session, said.agent});
    if (said.agent_type) told.insert({said.session, said.agent_type});
  }
  if (told.empty()) return;
  for (Utterance& said : trace.utterances)
    if (is_qwen(said) && is_in_telemetry(said) &&
        (told.contains({said.session, said.agent}) ||
         told.contains({said.session, said.agent_type})))
      said.kind = Utterance::Kind::silent;
}

constexpr RecordShape kQwenRecords[] = {
    {.when = "sessionId:text message/parts:array uuid:text",
     .session = kQwenChat,
     .message = &kQwenCodeMessages},
    {.when = "sessionId:text systemPayload subtype=ui_telemetry uuid:text",
     .session = kQwenChat,
     .read = read_telemetry},
    {.when = "sessionId:text systemPayload/compressedHistory subtype=chat_compression uuid:text",
     .session = kQwenChat,
     .read = add_compaction,
     .say = read_compressed},
    {.when = "sessionId:text systemPayload uuid:text", .session = kQwenChat},
    {.when = "sessionId:text models/*/inputTokens|models/*/outputTokens|models/*/requests",
     .session = {.id = "sessionId", .project = "project"},
     .time = "timestamp",
     .usage = &kQwenSession},
};

}  // namespace

extern constinit const Format kQwenCode = format_of_shapes<kQwenRecords>(
    "qwen-code", "chats saved by Qwen Code, one message per line, and its usage of sessions");

extern constinit const AgentPass kQwenTelemetry = {AgentPass::When::before_owners,
                                                   drop_duplicate_calls};

}  // namespace xtrace
