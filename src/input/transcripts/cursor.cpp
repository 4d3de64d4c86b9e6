#include <algorithm>

#include "base/one_of.h"
#include "input/calls/message_draft.h"
#include "input/common/format.h"
#include "input/common/record_context.h"
#include "input/transcripts/cursor_stream.h"
#include "input/transcripts/message_shape.h"

namespace xtrace {

// The transcripts of Cursor's agent, a line for each message and nothing in it but
//
//   {"role": "user"|"assistant", "message": {"content": [text or {"type": "tool_use", "name",
//    "input"}]}}
//
// No times, models, tokens, ids or results of tools are in them: all that is known is the order. A
// long answer comes in many lines, each one step. A subagent's transcript lies in the folder
// `subagents` beside its parent's.
//
// What older versions wrote down as plain text comes like that too (bytes/cursor_transcript.h),
// with ids of tool uses and with what tools gave as {"type": "tool_result", "tool_use_id",
// "content"}.
//
// The store of its CLI has the conversation as it stands, as read_session_store() gives it:
//
//   {"agentId", "name", "createdAt", "lastUsedModel", "latestRootBlobId", "messages": [{"role",
//    "content": [text, {"type": "tool-call", "toolCallId", "toolName", "args"} or {"type":
//    "tool-result", "toolCallId", "result"}]}]}
//
// Only of the last answer is it known which model gave it.

namespace {

/// What the user typed, among what the program put around it.
void keep_query(Block& block) {
  constexpr std::string_view kBegin = "<user_query>", kEnd = "</user_query>";
  const size_t begin = block.text.find(kBegin), end = block.text.rfind(kEnd);
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return;
  block.text = block.text.substr(begin + kBegin.size(), end - begin - kBegin.size());
  constexpr std::string_view kLineEnds = "\r\n";
  block.text.remove_prefix(std::min(block.text.find_first_not_of(kLineEnds), block.text.size()));
  block.text = block.text.substr(0, block.text.find_last_not_of(kLineEnds) + 1);
}

void adjust_cursor(json::element, Utterance& said, Draft& draft) {
  if (said.kind == Utterance::Kind::asked)
    for (Block& block : draft.blocks) keep_query(block);
}

constexpr MessageShape kCursorMessages = {.content = "message/content", .adjust = adjust_cursor};

/// What the program tells of the user's machine, before the user says anything.
bool is_put_in_by_cursor(const Block& block) {
  return block.kind == Block::Kind::text && block.text.starts_with("<user_info>") &&
         block.text.find("<user_query>") == std::string_view::npos;
}

void adjust_stored(json::element message, Utterance& said, Draft& draft) {
  std::erase_if(draft.blocks, is_put_in_by_cursor);
  adjust_cursor(message, said, draft);
}

constexpr PieceShape kCursorPieces[] = {
    {.type = "text", .says = PieceShape::Says::text, .text = "text"},
    {.type = "reasoning", .says = PieceShape::Says::thought},
    {.type = "tool-call",
     .says = PieceShape::Says::tool_use,
     .id = "toolCallId",
     .name = "toolName",
     .arguments = "args"},
    {.type = "tool-result",
     .says = PieceShape::Says::tool_result,
     .id = "toolCallId",
     .output = "result"},
    {.says = PieceShape::Says::nothing},
};

constexpr MessageShape kStored = {.pieces = kCursorPieces, .adjust = adjust_stored};

bool is_store(json::element record) {
  json::element list;
  return !json::text_at(record, "agentId").empty() &&
         !json::text_at(record, "latestRootBlobId").empty() &&
         json::find(record, "messages", list) && json::is_array(list);
}

void read_store(json::element record, std::string_view text, const Extent& at,
                RecordContext& context) {
  MessageReader messages(kStored, context);
  messages.common.session = context.shard.intern(json::text_at(record, "agentId"));
  json::element list;
  size_t last = 0, nth = 0;
  if (!json::find(record, "messages", list)) return;
  json::items(list, [&](json::element message) {
    ++nth;
    if (json::text_at(message, "role") == "assistant") last = nth;
  });
  nth = 0;
  each_item(record, {text, at}, "messages", [&](json::element message, const Part& part) {
    if (++nth == last)
      messages.common.model = context.shard.intern(json::text_at(record, "lastUsedModel"));
    messages.read(message, part);
    messages.common.model = {};
  });
}

bool fits_cursor(json::element record) {
  if (is_store(record) || fits_cursor_stream(record)) return true;
  bool is_other = false;
  json::fields(record, [&](std::string_view key, json::element) {
    is_other |= key != "role" && key != "message";
  });
  json::element content;
  return !is_other && is_one_of(json::text_at(record, "role"), {"user", "assistant"}) &&
         json::follow(record, "message/content", content) && json::is_array(content);
}

void read_cursor(json::element record, std::string_view text, const Extent& at,
                 RecordContext& context) {
  context.shard.count_record();
  if (is_store(record)) return read_store(record, text, at, context);
  if (fits_cursor_stream(record)) return read_cursor_stream(record, at, context);
  MessageReader(kCursorMessages, context).read(record, {text, at});
}

void say_cursor(json::element part, Draft& said) {
  if (json::is_object(part) && fits_cursor_stream(part)) return say_cursor_stream(part, said);
  json::element message;
  say_message(part, json::find(part, "message", message) ? kCursorMessages : kStored, said);
  if (said.role == Message::Role::user)
    for (Block& block : said.blocks) keep_query(block);
}

}  // namespace

extern constinit const Format kCursor = {
    .name = "cursor",
    .summary = "transcripts of Cursor's agent, its CLI store and stream-json",
    .fits = fits_cursor,
    .needs = "role|agentId|session_id message|messages|type",
    .read = read_cursor,
    .say = say_cursor,
};

}  // namespace xtrace
