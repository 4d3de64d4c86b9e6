#include "base/one_of.h"
#include "input/calls/message_draft.h"
#include "input/common/format.h"
#include "input/common/record_context.h"
#include "input/transcripts/message_shape.h"

namespace xtrace {

// The sessions of Goose: one a document, as `goose session export` writes it,
//
//   {"id", "working_dir", "provider_name", "model_config": {"model_name"}, "conversation":
//   [messages]}
//
// or a line for each message behind a line about the session, as it kept them until 1.10:
//
//   {"working_dir", "description", "message_count", …}
//   {"id", "role", "created": seconds, "content": [{"type": "text"|"thinking"|
//      "toolRequest", "id", "toolCall": {"status", "value": {"name", "arguments"}, "error"}|
//      "toolResponse", "id", "toolResult": {"status", "value": {"content", "isError"}, "error"}|…]}
//
// What tools gave stands in a message of the user. Counts of tokens are of the last call and of all
// together: no call but the last has any.

namespace {

bool tool_failed(json::element piece) {
  return json::text_on(piece, "toolResult/status") == "error" ||
         json::is_true_on(piece, "toolResult/value/isError");
}

constexpr PieceShape kPieces[] = {
    {.type = "text", .says = PieceShape::Says::text, .text = "text"},
    {.type = "thinking", .says = PieceShape::Says::thought},
    {.type = "redactedThinking", .says = PieceShape::Says::thought},
    {.type = "toolRequest",
     .says = PieceShape::Says::tool_use,
     .id = "id",
     .name = "toolCall/value/name",
     .arguments = "toolCall/value/arguments"},
    {.type = "toolResponse",
     .says = PieceShape::Says::tool_result,
     .id = "id",
     .output = "toolResult/value/content|toolResult/value|toolResult/error",
     .failed = tool_failed},
    {.says = PieceShape::Says::nothing},  // what the program tells the user
};

void adjust(json::element message, Utterance& said, Draft& draft) {
  if (!draft.blocks.empty() || said.kind != Utterance::Kind::asked) return;
  const std::string told = json::text_on(message, "content/0/msg");
  if (told.find("compacted") != std::string::npos) said.kind = Utterance::Kind::compacted;
}

constexpr MessageShape kMessages = {
    .id = "id", .time = "created", .pieces = kPieces, .adjust = adjust};

bool is_message(json::element record) {
  json::element created;
  return json::find(record, "created", created) && json::is_number(created) &&
         is_one_of(json::text_at(record, "role"), {"user", "assistant"}) &&
         is_one_of(json::text_on(record, "content/0/type"),
                   {"text", "thinking", "redactedThinking", "toolRequest", "toolResponse", "image",
                    "systemNotification", "actionRequired", "toolConfirmationRequest",
                    "frontendToolRequest"});
}

bool fits_goose(json::element record) {
  json::element value;
  if (json::find(record, "working_dir", value))
    return json::find(record, "message_count", value) || json::find(record, "conversation", value);
  return is_message(record);
}

void read_goose(json::element record, std::string_view text, const Extent& at,
                RecordContext& context) {
  context.shard.count_record();
  MessageReader messages(kMessages, context);
  if (is_message(record)) return messages.read(record, {text, at});
  Utterance& common = messages.common;
  common.session = context.shard.intern(json::text_on(record, "id"));
  common.model = context.shard.intern(json::text_on(record, "model_config/model_name"));
  common.provider = context.shard.intern(json::text_on(record, "provider_name"));
  json::element conversation;
  if (json::find(record, "conversation", conversation))
    return messages.read_list(record, {text, at}, "conversation");
  Utterance heading = common;
  heading.kind = Utterance::Kind::heading;
  heading.source = at;
  context.shard.add(heading);
}

void say_goose(json::element part, Draft& said) {
  say_message(part, kMessages, said);
}

}  // namespace

extern constinit const Format kGoose = {
    .name = "goose",
    .summary = "sessions of Goose: exported ones, and the lines it kept until 1.10",
    .fits = fits_goose,
    .read = read_goose,
    .say = say_goose,
};

}  // namespace xtrace
