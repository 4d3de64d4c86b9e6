#include "base/one_of.h"
#include "input/calls/message_draft.h"
#include "input/common/format.h"
#include "input/common/record_context.h"
#include "input/transcripts/message_shape.h"

namespace xtrace {

// The transcripts of Cursor's agent, a line for each message and nothing in it but
//
//   {"role": "user"|"assistant", "message": {"content": [text or {"type": "tool_use", "name",
//    "input"}]}}
//
// No times, models, tokens, ids or results of tools are in them: all that is known is the order. A
// long answer comes in many lines, each one step.

namespace {

/// What the user typed, among what the program put around it.
void keep_query(Block& block) {
  constexpr std::string_view kBegin = "<user_query>", kEnd = "</user_query>";
  const size_t begin = block.text.find(kBegin), end = block.text.rfind(kEnd);
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return;
  block.text = block.text.substr(begin + kBegin.size(), end - begin - kBegin.size());
}

void adjust(json::element, Utterance& said, Draft& draft) {
  if (said.kind == Utterance::Kind::asked)
    for (Block& block : draft.blocks) keep_query(block);
}

constexpr MessageShape kMessages = {.content = "message/content", .adjust = adjust};

bool fits_cursor(json::element record) {
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
  MessageReader(kMessages, context).read(record, {text, at});
}

void say_cursor(json::element part, Draft& said) {
  say_message(part, kMessages, said);
}

}  // namespace

extern constinit const Format kCursor = {
    .name = "cursor",
    .summary = "transcripts of Cursor's agent",
    .fits = fits_cursor,
    .read = read_cursor,
    .say = say_cursor,
};

}  // namespace xtrace
