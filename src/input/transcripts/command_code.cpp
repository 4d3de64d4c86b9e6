#include "input/calls/message_draft.h"
#include "input/transcripts/record_shape.h"

namespace xtrace {

// The sessions of Command Code, a line for each message; until version 3 of the format
//
//   {"id", "timestamp", "sessionId", "role": "user"|"assistant"|"tool", "content": text or blocks
//    as the AI SDK has them, "gitBranch", "metadata": {"version": 2, "cwd"}}
//
// without tokens and models, and since then, after a first line that pi also writes,
//
//   {"type": "session", "version": 3, "id", "timestamp", "cwd"}
//   {"type": "message", "id", "parentId", "timestamp", "message": {"role": "user"|"assistant",
//    "content": [blocks as Anthropic has them], "meta": {"source": "user"|"model"|"tool",
//    "createdAt", "messageId"}}, "usage": {"inputTokens" with those of a cache, "outputTokens",
//    "cacheReadTokens", "cacheWriteTokens", "costUsd"}, "model"}
//
// `timestamp` is when several lines were written at once, so a tool's output, which has no
// `createdAt`, has no time. `<id>.meta.json` next to the session states its title.

namespace {

bool command_code_tool_failed(json::element piece) {
  const std::string kind = json::text_on(piece, "output/type");
  return kind.starts_with("error") || kind == "execution-denied" ||
         json::is_true_on(piece, "is_error") ||
         json::text_on(piece, "content/0/text").starts_with("Error:");
}

constexpr PieceShape kCommandCodePieces[] = {
    {.type = "text", .says = PieceShape::Says::text, .text = "text"},
    {.type = "reasoning", .says = PieceShape::Says::thought},
    kSdkToolUse,
    sdk_tool_result({.stated = command_code_tool_failed}),
    {.type = "tool_result",
     .says = PieceShape::Says::tool_result,
     .id = "tool_use_id",
     .output = "content",
     .failed = {.stated = command_code_tool_failed}},
};

constexpr MessageShape kOldCommandCode = {
    .id = "id", .session = "sessionId", .time = "timestamp", .pieces = kCommandCodePieces};

constexpr MessageShape command_code_message(json::Path time) {
  return {.id = "id",
          .after = "parentId",
          .model = "model",
          .time = time,
          .role = "message/role",
          .content = "message/content",
          .pieces = kCommandCodePieces,
          .cost = "usage/costUsd",
          .usage = "usage",
          .counts = {.input = "inputTokens",
                     .output = "outputTokens",
                     .cache_read = "cacheReadTokens",
                     .cache_write = "cacheWriteTokens",
                     .input_has_cache = true}};
}
constexpr MessageShape kCommandCodeSaid = command_code_message("message/meta/createdAt|timestamp");
constexpr MessageShape kCommandCodeOutput = command_code_message("message/meta/createdAt");

constexpr RecordShape kCommandCodeRecords[] = {
    {.when = "sessionId:text content role=user|assistant|tool|system !uuid !type !message",
     .session = {.id = "sessionId", .project = "metadata/cwd"},
     .message = &kOldCommandCode},
    {.when = "type=message message/meta/source=tool message/meta/messageId message/content",
     .message = &kCommandCodeOutput},
    {.when = "type=message message/meta/source message/meta/messageId message/content",
     .message = &kCommandCodeSaid},
    {.when = "title projectPath userRenamed",
     .session = {.project = "cwd|projectPath", .ai_title = "title"},
     .adds = Utterance::Kind::heading},
};

}  // namespace

extern constinit const Format kCommandCode =
    format_of_shapes<kCommandCodeRecords>("command-code", "sessions of Command Code");

}  // namespace xtrace
