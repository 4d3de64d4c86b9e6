#include "input/common/ending.h"
#include "input/common/record_context.h"
#include "input/transcripts/qwen_subagents.h"
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
//   {…, "subtype": "ui_telemetry"}, see qwen_subagents.h
//
// What a session used up stands in a file of its own, written when the program ends or clears it:
//
//   {"version", "sessionId", "timestamp", "startTime", "project", "models": {MODEL: {"requests",
//    "inputTokens" with "cachedTokens", "outputTokens", "thoughtsTokens", "totalTokens"}}}
//
// Lines of a subagent's own transcript have "isSidechain", "agentId" and "agentName" too.

namespace {

bool qwen_code_failed(json::element piece) {
  json::element value;
  return json::follow(piece, "functionResponse/response/error", value);
}

constexpr PieceShape kQwenCodePieces[] = {
    kGoogleToolUse,
    google_tool_result(qwen_code_failed),
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
constexpr UsageRecord kQwenSession = {
    .terms = {.scope = UsageTerms::Scope::session, .form = UsageTerms::Form::running},
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

}  // namespace xtrace
