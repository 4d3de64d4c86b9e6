#include "input/common/record_context.h"
#include "input/transcripts/record_shape.h"

namespace xtrace {

// The chats of aider, as unpack_chat_history() makes them of its history: a line for each prompt
// and each answer. No times are told but when a chat began, which is its session's name, and no
// tool has an id. What the model wrote to be done to files is part of its text; which edits were
// applied is recorded behind it.

namespace {

constexpr PieceShape kAiderPieces[] = {
    // Of an edit nothing is told but that the linter found errors in it.
    {.type = "arguments",
     .says = PieceShape::Says::tool,
     .id = "id",
     .name = "name",
     .arguments = "arguments",
     .output = "error",
     .failed = {.there = "error"}},
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

void note_rounding(const RecordMatcher& record, const Part& whole, Utterance&,
                   RecordContext& context) {
  if (json::is_true_on(record, "is_rounded"))
    context.shard.complain(
        Complaint::Kind::field, whole.at,
        "aider records rounded tokens and costs from here on; their sums are not exact");
}

constexpr RecordShape kAiderRecords[] = {
    {.when = "aider:text text", .message = &kAiderMessages, .read = note_rounding},
};

}  // namespace

extern constinit const Format kAider =
    format_of_shapes<kAiderRecords>("aider", "the chat history of aider (.aider.chat.history.md)");

}  // namespace xtrace
