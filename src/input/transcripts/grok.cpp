#include "input/calls/message_draft.h"
#include "input/transcripts/record_shape.h"

namespace xtrace {

// The sessions of Grok Build, a folder each, which is called as the session. Two files of it have
// the same conversation: `updates.jsonl`, in the words of the Agent Client Protocol,
//
//   {"timestamp": seconds, "method", "params": {"sessionId", "_meta": {"agentTimestampMs"},
//    "update": {"sessionUpdate": "user_message_chunk"|"agent_message_chunk"|"tool_call"|
//    "tool_call_update"|"turn_completed"|…, …}}}
//
// with times, but usage only of turns, {"modelCalls", "inputTokens" with "cachedReadTokens",
// "outputTokens" with "reasoningTokens", "costUsdTicks", "modelUsage": {MODEL: the same}}; and
// `chat_history.jsonl`, with the model of each answer,
//
//   {"type": "system"|"user"|"reasoning"|"assistant"|"tool_result"|"backend_tool_call", "content",
//    "tool_calls": [{"id", "name", "arguments"}], "model_id", "tool_call_id"}
//
// which counts where the former is missing. `summary.json` has the title and the folder.

namespace {

constexpr PieceShape kGrokUpdates[] = {
    {.type = "user_message_chunk",
     .says = PieceShape::Says::text,
     .text = "content/text",
     .within = "user_query"},
    {.type = "agent_message_chunk", .says = PieceShape::Says::text, .text = "content/text"},
    {.type = "agent_thought_chunk", .says = PieceShape::Says::thought},
    {.type = "tool_call",
     .says = PieceShape::Says::tool_use,
     .id = "toolCallId",
     .name = "_meta/*/name|title",
     .arguments = "rawInput"},
    {.type = "tool_call_update",
     .says = PieceShape::Says::tool_result,
     .id = "toolCallId",
     .output = "content|rawOutput"},
    {.says = PieceShape::Says::nothing},
};

constexpr MessageShape grok_update_of(Message::Role role) {
  return {.session = "params/sessionId",
          .is_piece = true,
          .time = "params/_meta/agentTimestampMs|timestamp",
          .role = "",
          .spoken_by = role,
          .content = "params/update",
          .type = "sessionUpdate",
          .pieces = kGrokUpdates};
}
constexpr MessageShape kGrokInput = grok_update_of(Message::Role::user),
                       kGrokOutput = grok_update_of(Message::Role::assistant);

/// A turn may be stated again, with what it used up by then.
constexpr UsageRecord kGrokTurn = {
    .terms = {.scope = UsageTerms::Scope::turn, .form = UsageTerms::Form::piece},
    .at = "params/update/usage|.",
    .counts = {.input = "inputTokens",
               .output = "outputTokens",
               .cache_read = "cachedReadTokens",
               .cache_write = "cacheCreationTokens",
               .input_has_cache = true},
    .by_model = "params/update/usage/modelUsage",
    .calls = "params/update/usage/modelCalls|modelCalls",
    .cost = "params/update/usage/costUsdTicks|costUsdTicks",
    .per_dollar = 1e10,
    .id = "params/update/prompt_id"};

/// An interjection is the user's, whatever noted it.
void adjust_grok_history(json::element line, Utterance&, Draft& draft) {
  if (json::text_at(line, "synthetic_reason") == "interjection") draft.role = Message::Role::user;
}

// Keys identify what a line is, and each piece of it.
constexpr PieceShape kGrokHistory[] = {
    openai_tool_result({}),
    kPlainToolUse,
    {.type = "text", .says = PieceShape::Says::text, .text = "text", .within = "user_query"},
    {.says = PieceShape::Says::nothing},
};

constexpr MessageShape kGrokAsked = {.by_program = "synthetic_reason",
                                     .role = "type",
                                     .type = "",
                                     .pieces = kGrokHistory,
                                     .adjust = adjust_grok_history};
constexpr MessageShape kGrokAnswered = {
    .model = "model_id", .role = "type", .calls = "tool_calls", .type = "", .pieces = kGrokHistory};
constexpr MessageShape kGrokGave = {
    .role = "type", .content = ".", .type = "", .pieces = kGrokHistory};

constexpr RecordShape kGrokRecords[] = {
    {.when = "params/update/sessionUpdate=user_message_chunk params/sessionId method",
     .message = &kGrokInput},
    {.when = "params/update/sessionUpdate=agent_message_chunk|agent_thought_chunk|tool_call "
             "params/sessionId method",
     .message = &kGrokOutput},
    {.when = "params/update/sessionUpdate=tool_call_update params/sessionId method "
             "params/update/status=completed|failed",
     .message = &kGrokInput},
    {.when = "params/update/sessionUpdate=turn_completed params/sessionId method",
     .session = {.id = "params/sessionId"},
     .time = "params/_meta/agentTimestampMs|timestamp",
     .usage = &kGrokTurn},
    {.when = "params/update/sessionUpdate=compaction_checkpoint params/sessionId method",
     .session = {.id = "params/sessionId"},
     .adds = Utterance::Kind::compacted,
     .time = "params/_meta/agentTimestampMs|timestamp"},
    {.when = "params/update/sessionUpdate params/sessionId method"},
    {.when = "type=user content {type|content|prompt_index|synthetic_reason}",
     .is_printed = true,
     .message = &kGrokAsked},
    {.when = "type=assistant content model_id", .is_printed = true, .message = &kGrokAnswered},
    {.when = "type=tool_result tool_call_id content {type|tool_call_id|content|images|is_error}",
     .is_printed = true,
     .message = &kGrokGave},
    {.when = "type=system content:text {type|content}"},
    {.when = "type=reasoning id=rs_* summary:array status"},
    {.when = "type=backend_tool_call kind/tool_type"},
    {.when = "info/id info/cwd chat_format_version|current_model_id|num_messages",
     .session = {.id = "info/id",
                 .model = "current_model_id",
                 .project = "info/cwd",
                 .ai_title = "generated_title|session_summary"},
     .adds = Utterance::Kind::heading},
};

}  // namespace

extern constinit const Format kGrok =
    format_of_shapes<kGrokRecords>("grok", "sessions of Grok Build", "chat_history");

}  // namespace xtrace
