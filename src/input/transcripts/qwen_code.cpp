#include "base/one_of.h"
#include "input/common/format.h"
#include "input/common/record_context.h"
#include "input/transcripts/message_shape.h"
#include "input/transcripts/session_notes.h"

namespace xtrace {

// The chats that Qwen Code saves, a line for each message: chained as those of Claude Code are, and
// worded as the API of Gemini words them.
//
//   {"uuid", "parentUuid", "sessionId", "timestamp", "cwd", "type": "user"|"assistant", "model",
//    "message": {"role": "user"|"model", "parts": [{"text", "thought"} or {"functionCall": {"id",
//    "name", "args"}}]}, "usageMetadata": {"promptTokenCount" with "cachedContentTokenCount", …}}
//   {…, "type": "tool_result", "message": {"parts": [{"functionResponse": {"id", "response"}}]},
//    "toolCallResult": {"callId", "status"}}
//   {…, "type": "system", "subtype": "custom_title", "systemPayload": {"customTitle"}}

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
  if (is_one_of(json::text_at(result, "status"), {"error", "cancelled"}))
    for (Block& block : draft.blocks) block.is_error |= block.kind == Block::Kind::tool_result;
}

constexpr MessageShape kQwenCodeMessages = {
    .id = "uuid",
    .after = "parentUuid",
    .session = "sessionId",
    .model = "model",
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

bool fits_qwen_code(json::element record) {
  json::element parts;
  if (json::text_at(record, "uuid").empty() || json::text_at(record, "sessionId").empty())
    return false;
  if (json::follow(record, "message/parts", parts)) return json::is_array(parts);
  return json::find(record, "systemPayload", parts);
}

void read_qwen_code(json::element record, std::string_view text, const Extent& at,
                    RecordContext& context) {
  Shard& shard = context.shard;
  shard.count_record();
  const StringId session = shard.intern(json::text_at(record, "sessionId"));
  note_session(shard, SessionNote::Kind::project, at, session, json::text_at(record, "cwd"));
  json::element title;
  if (json::follow(record, "systemPayload/customTitle", title))
    note_session(shard, SessionNote::Kind::summary, at, session, json::text(title));
  MessageReader(kQwenCodeMessages, context).read(record, {text, at});
}

void say_qwen_code(json::element part, Draft& said) {
  say_message(part, kQwenCodeMessages, said);
}

}  // namespace

extern constinit const Format kQwenCode = {
    .name = "qwen-code",
    .summary = "chats that Qwen Code saves, a line for each message",
    .fits = fits_qwen_code,
    .needs = "uuid sessionId message|systemPayload",
    .read = read_qwen_code,
    .say = say_qwen_code,
};

}  // namespace xtrace
