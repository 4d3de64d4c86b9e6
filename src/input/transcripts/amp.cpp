#include "base/one_of.h"
#include "input/calls/message_draft.h"
#include "input/common/format.h"
#include "input/common/record_context.h"
#include "input/transcripts/message_shape.h"
#include "input/transcripts/session_notes.h"

namespace xtrace {

// The threads of Amp, one a document:
//
//   {"v", "id": "T-…", "created", "title", "env": {"initial": {"trees": [{"uri"}]}}, "messages": [
//     {"role", "messageId", "content": [text, thinking, {"type": "tool_use", "id", "name", "input"}
//        or {"type": "tool_result", "toolUseID", "run": {"status", "result", "error"}}],
//      "state": {"type": "complete"|"cancelled"|"error", "stopReason"},
//      "usage": {"model", "inputTokens", "outputTokens", "cacheCreationInputTokens",
//                "cacheReadInputTokens", "timestamp"}}]}
//
// Its messages are numbered in each thread anew, so that the numbers name nothing.

namespace {

bool tool_failed(json::element piece) {
  return is_one_of(json::text_on(piece, "run/status"), {"error", "cancelled", "rejected-by-user"});
}

constexpr PieceShape kPieces[] = {
    {.type = "text", .says = PieceShape::Says::text, .text = "text"},
    {.type = "thinking", .says = PieceShape::Says::thought},
    {.type = "redacted_thinking", .says = PieceShape::Says::thought},
    {.type = "tool_use",
     .says = PieceShape::Says::tool_use,
     .id = "id",
     .name = "name",
     .arguments = "input"},
    {.type = "tool_result",
     .says = PieceShape::Says::tool_result,
     .id = "toolUseID",
     .output = "run/result|run/error/message|run/error|run/status",
     .failed = tool_failed},
};

/// A thread that was cancelled or broke off ends with what had come until then.
void adjust(json::element message, Utterance& said, Draft& draft) {
  if (said.kind != Utterance::Kind::answered) return;
  if (!is_one_of(json::text_on(message, "state/type"), {"cancelled", "error"})) {
    said.outcome = Outcome::ok;
    said.error = {};
  } else if (draft.blocks.empty()) {
    said.kind = Utterance::Kind::failed;
  }
}

constexpr MessageShape kMessages = {
    .model = "usage/model",
    .time = "meta/sentAt|usage/timestamp",
    .pieces = kPieces,
    .stop_reason = "state/stopReason|state/type",
    .error = "state/error|state/type",
    .usage = "usage",
    .counts = {.input = "inputTokens",
               .output = "outputTokens",
               .cache_read = "cacheReadInputTokens",
               .cache_write = "cacheCreationInputTokens"},
    .adjust = adjust,
};

bool fits_amp(json::element record) {
  json::element value;
  return json::text_at(record, "id").starts_with("T-") &&
         json::follow(record, "messages/0/messageId", value);
}

void read_amp(json::element record, std::string_view text, const Extent& at,
              RecordContext& context) {
  context.shard.count_record();
  MessageReader messages(kMessages, context);
  const std::string id = json::text_on(record, "id");
  messages.keep_apart(id);
  messages.common.session = context.shard.intern(id);
  note_session(context.shard, SessionNote::Kind::project, at, messages.common.session,
               json::text_on(record, "env/initial/trees/0/uri"));
  note_session(context.shard, SessionNote::Kind::ai_title, at, messages.common.session,
               json::text_at(record, "title"));
  messages.read_list(record, {text, at}, "messages");
}

void say_amp(json::element part, Draft& said) {
  say_message(part, kMessages, said);
}

}  // namespace

extern constinit const Format kAmp = {
    .name = "amp",
    .summary = "threads of Amp",
    .fits = fits_amp,
    .needs = "id messages",
    .read = read_amp,
    .say = say_amp,
};

}  // namespace xtrace
