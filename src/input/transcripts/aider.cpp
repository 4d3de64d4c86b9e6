#include "input/common/format.h"
#include "input/common/record_context.h"
#include "input/transcripts/message_shape.h"

namespace xtrace {

// The chats of aider, as unpack_chat_history() makes them of its history: a line for each prompt
// and each answer. No times are told but when a chat began, which is its session's name, and no
// tool has an id. What the model wrote to be done to files is part of its text; which edits were
// applied is told behind it.

namespace {

constexpr PieceShape kAiderPieces[] = {
    {.type = "arguments",
     .says = PieceShape::Says::tool_use,
     .name = "name",
     .arguments = "arguments"},
    {.says = PieceShape::Says::nothing},
};

constexpr MessageShape kAiderMessages = {
    .session = "session",
    .model = "model",
    .content = "text",
    .calls = "edits",
    .type = "",
    .pieces = kAiderPieces,
    .error = "error",
    .cost = "cost",
    .usage = "usage",
    .counts = {.input = "input",
               .output = "output",
               .cache_read = "cache_read",
               .cache_write = "cache_write"},
};

bool fits_aider(json::element record) {
  json::element text;
  return !json::text_at(record, "aider").empty() && json::find(record, "text", text);
}

void read_aider(json::element record, std::string_view text, const Extent& at,
                RecordContext& context) {
  context.shard.count_record();
  MessageReader(kAiderMessages, context).read(record, {text, at});
  if (json::is_true_on(record, "is_rounded"))
    context.shard.complain(
        Complaint::Kind::field, at,
        "aider records rounded tokens and costs from here on; their sums are not exact");
}

void say_aider(json::element part, Draft& said) {
  say_message(part, kAiderMessages, said);
}

}  // namespace

extern constinit const Format kAider = {
    .name = "aider",
    .summary = "the chat history of aider (.aider.chat.history.md)",
    .fits = fits_aider,
    .needs = "aider text",
    .read = read_aider,
    .say = say_aider,
};

}  // namespace xtrace
