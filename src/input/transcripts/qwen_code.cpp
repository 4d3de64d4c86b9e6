#include <fmt/format.h>

#include "input/common/ending.h"
#include "input/common/format.h"
#include "input/common/record_context.h"
#include "input/transcripts/message_shape.h"
#include "input/transcripts/qwen_subagents.h"
#include "input/transcripts/session_notes.h"
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

/// What the conversation goes on with in place of what was said before.
void read_compressed(json::element history, Draft& draft) {
  json::items(history, [&](json::element message) {
    json::element parts;
    if (json::find(message, "parts", parts))
      json::items(parts, [&](json::element part) { add_text(json::text_at(part, "text"), draft); });
  });
}

/// Is it a record that the history was compressed, and did that go well?
bool find_compressed(json::element record, json::element& history) {
  return json::text_at(record, "subtype") == "chat_compression" &&
         json::count_on(record, "systemPayload/info/compressionStatus", 1) == 1 &&
         json::follow(record, "systemPayload/compressedHistory", history);
}

void add_compaction(json::element record, json::element history, const Extent& at,
                    RecordContext& context) {
  Shard& shard = context.shard;
  Utterance said;
  json::element time;
  if (json::find(record, "timestamp", time)) read_time(time, said);
  said.source = at;
  said.session = shard.intern(json::text_at(record, "sessionId"));
  said.after = shard.intern(json::text_at(record, "parentUuid"));
  said.is_chained = true;
  said.kind = Utterance::Kind::compacted;
  shard.add(said);
  said.kind = Utterance::Kind::asked;
  said.id = shard.intern(json::text_at(record, "uuid"));
  Draft& draft = cleared(context.draft);
  draft.role = Message::Role::other;
  read_compressed(history, draft);
  add_utterance(said, draft, context);
}

constexpr UsageShape kSessionCounts = {.input = "inputTokens",
                                       .output = "outputTokens",
                                       .cache_read = "cachedTokens",
                                       .reasoning = "thoughtsTokens",
                                       .total = "totalTokens",
                                       .input_has_cache = true,
                                       .output_has_reasoning = false};

/// Does it state what a session used up, by model?
bool find_models(json::element record, json::element& models) {
  json::element counts;
  if (json::text_at(record, "sessionId").empty() || !json::find(record, "models", models))
    return false;
  bool is_counted = false;
  json::fields(models, [&](std::string_view, json::element usage) {
    is_counted |= json::follow(usage, "inputTokens|outputTokens|requests", counts);
  });
  return is_counted;
}

/// A record counts from the start of a program on, and one that is written later in place of it.
void add_session_usage(json::element record, json::element models, const Extent& at, Shard& shard) {
  constexpr UsageTerms kSession = {.scope = UsageTerms::Scope::session,
                                   .form = UsageTerms::Form::running};
  Utterance said;
  json::element time;
  said.source = at;
  said.session = shard.intern(json::text_at(record, "sessionId"));
  if (json::find(record, "timestamp", time)) read_time(time, said);
  Utterance total = usage_of(said, kSession);
  const std::string started = json::text_on(record, "startTime"),
                    ended = json::text_on(record, "timestamp");
  total.item = shard.intern(fmt::format("usage-since-{}", started.empty() ? ended : started));
  total.answer =
      shard.intern(fmt::format("{}/{}/{}", shard[total.item], shard[said.session], ended));
  json::fields(models, [&](std::string_view model, json::element usage) {
    Utterance row = total;
    row.model = shard.intern(model);
    row.tokens = read_usage(usage, kSessionCounts);
    row.calls = json::count_on(usage, "requests", kNoCount);
    if (states_usage(row)) shard.add(row);
  });
}

bool fits_qwen_code(json::element record) {
  json::element parts;
  if (find_models(record, parts)) return true;
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
  json::element title, history, models;
  if (find_models(record, models)) {
    note_session(shard, SessionNote::Kind::project, at, session, json::text_at(record, "project"));
    return add_session_usage(record, models, at, shard);
  }
  if (json::follow(record, "systemPayload/customTitle", title))
    note_session(shard, SessionNote::Kind::summary, at, session, json::text(title));
  if (find_compressed(record, history)) return add_compaction(record, history, at, context);
  if (json::text_at(record, "subtype") == "ui_telemetry")
    return read_qwen_telemetry(record, at, shard);
  MessageReader messages(kQwenCodeMessages, context);
  if (json::is_true_on(record, "isSidechain")) {
    messages.common.in_subagent = true;
    messages.common.agent = shard.intern(json::text_at(record, "agentId"));
    messages.common.agent_type = shard.intern(json::text_at(record, "agentName"));
  }
  messages.read(record, {text, at});
}

void say_qwen_code(json::element part, Draft& said) {
  json::element history;
  if (!find_compressed(part, history)) return say_message(part, kQwenCodeMessages, said);
  said.role = Message::Role::other;
  read_compressed(history, said);
}

}  // namespace

extern constinit const Format kQwenCode = {
    .name = "qwen-code",
    .summary = "chats saved by Qwen Code, one message per line, and its usage of sessions",
    .fits = fits_qwen_code,
    .needs = "sessionId message|systemPayload|models",
    .read = read_qwen_code,
    .say = say_qwen_code,
};

}  // namespace xtrace
