#include "input/calls/message_draft.h"
#include "input/transcripts/record_shape.h"

namespace xtrace {

// The sessions of Google's Agent Development Kit, one a document:
//
//   {"id", "appName", "userId", "state", "lastUpdateTime": seconds, "events": [
//     {"id", "invocationId", "author": "user" or the agent's name, "timestamp": seconds,
//      "content": {"role": "user"|"model", "parts": [{"text", "thought"}, {"functionCall": {"id",
//        "name", "args"}}, {"functionResponse": {"id", "name", "response"}}]},
//      "modelVersion", "finishReason", "errorCode", "errorMessage",
//      "usageMetadata": {"promptTokenCount", "candidatesTokenCount", …}, "actions": {…}}]}
//
// or in snake case, as Python's own names are, and an event a line. Parts that are pieces of a
// stream (`partial`) come again as a whole.
// https://google.github.io/adk-docs/events and /sessions/session (2026-11-29)

namespace {

bool adk_tool_failed(json::element piece) {
  json::element value;
  return json::follow(piece, "functionResponse/response/error|function_response/response/error",
                      value);
}

constexpr PieceShape kAdkPieces[] = {
    kGoogleToolUse,
    google_tool_result(adk_tool_failed),
    {.type = "function_call",
     .says = PieceShape::Says::tool_use,
     .id = "function_call/id",
     .name = "function_call/name",
     .arguments = "function_call/args"},
    {.type = "function_response",
     .says = PieceShape::Says::tool_result,
     .id = "function_response/id",
     .output = "function_response/response/output|function_response/response/error|"
               "function_response/response",
     .failed = adk_tool_failed},
    {.type = "text", .says = PieceShape::Says::text, .text = "text", .unless = "thought"},
    {.says = PieceShape::Says::nothing},
};

void adjust_adk(json::element event, Utterance& said, Draft& draft) {
  if (said.kind == Utterance::Kind::answered && json::text_at(event, "author") == "user") {
    draft.role = Message::Role::user;  // a client sent a content without a role
    said.kind = Utterance::Kind::asked;
    said.outcome = Outcome::unknown;
    said.is_whole = false;
    said.answer = {};
  }
  if (json::is_true_on(event, "partial")) draft.blocks.clear();
  // One without parts and without an error changes the session's state alone.
  if (draft.blocks.empty() && said.kind == Utterance::Kind::answered)
    said.kind = Utterance::Kind::silent;
}

constexpr MessageShape kAdkEvents = {
    .id = "id",
    .model = "modelVersion|model_version",
    .time = "timestamp",
    .role = "content/role",
    .spoken_by = Message::Role::assistant,  // where an answer failed
    .content = "content/parts",
    .type = "",
    .pieces = kAdkPieces,
    .stop_reason = "finishReason|finish_reason",
    .error = "errorCode|error_code|errorMessage|error_message",
    .usage = "usageMetadata|usage_metadata",
    .counts = {.input = "promptTokenCount|prompt_token_count",
               .tools = "toolUsePromptTokenCount|tool_use_prompt_token_count",
               .output = "candidatesTokenCount|candidates_token_count",
               .cache_read = "cachedContentTokenCount|cached_content_token_count",
               .reasoning = "thoughtsTokenCount|thoughts_token_count",
               .total = "totalTokenCount|total_token_count",
               .input_has_cache = true,
               .output_has_reasoning = false},
    .adjust = adjust_adk,
};

constexpr RecordShape kAdkRecords[] = {
    {.when = "events:array appName|app_name:text userId|user_id:text id:text",
     .session = {.id = "id", .project = "appName|app_name"},
     .message = &kAdkEvents,
     .list = "events"},
    {.when = "invocationId|invocation_id:text author:text timestamp:number content|actions",
     .message = &kAdkEvents},
};

}  // namespace

extern constinit const Format kAdk = format_of_shapes<kAdkRecords>(
    "adk", "sessions of Google's Agent Development Kit, or their events");

}  // namespace xtrace
