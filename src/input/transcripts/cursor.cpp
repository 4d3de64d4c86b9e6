#include <algorithm>

#include "input/calls/message_draft.h"
#include "input/common/record_context.h"
#include "input/transcripts/printed.h"
#include "input/transcripts/record_shape.h"
#include "input/transcripts/utterance_reader.h"

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

// `cursor-agent --output-format stream-json` prints lines much like those of Claude Code, but no
// message has an id:
//
//   {"type": "system", "subtype": "init", "session_id", "model", "cwd", "apiKeySource"}
//   {"type": "user"|"assistant", "message": {"role", "content": [texts]}, "session_id"}
//   {"type": "tool_call", "subtype": "started"|"completed", "call_id",
//    "tool_call": {"readToolCall": {"args", "result": {"success"} or {"error"} or {"rejected"}}}}
//   {"type": "thinking", "subtype": "delta"|"completed", "text"}
//   {"type": "result", "subtype", "is_error", "result", "duration_ms"}
//
// Since 2026 lines have `timestamp_ms` and those of one answer `model_call_id`; without it an
// answer is what is between two things that the model was told.

namespace {

/// What the user typed, among what the program put around it.
void keep_query(Block& block) {
  block.text = words_within(block.text, "user_query");
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
    kSdkToolUse,
    sdk_tool_result({}),
    {.says = PieceShape::Says::nothing},
};

constexpr MessageShape kStored = {.pieces = kCursorPieces, .adjust = adjust_stored};

void read_store(const RecordMatcher& record, const Part& whole, Utterance&,
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
  each_item(record, whole, "messages", [&](json::element message, const Part& part) {
    if (++nth == last)
      messages.common.model = context.shard.intern(json::text_at(record, "lastUsedModel"));
    messages.read(message, part);
    messages.common.model = {};
  });
}

template <const MessageShape& kShape>
void say_cursor(json::element part, Draft& said) {
  say_message(part, kShape, said);
  if (said.role == Message::Role::user)
    for (Block& block : said.blocks) keep_query(block);
}

constexpr UsageShape kCursorStreamCounts = {.input = "inputTokens",
                                            .output = "outputTokens",
                                            .cache_read = "cacheReadTokens",
                                            .cache_write = "cacheWriteTokens"};

/// `{"readToolCall": {…}}`, or as OpenAI names it: `{"function": {"name", "arguments"}}`.
void read_cursor_call(json::element record, Draft& draft) {
  json::element call, part;
  if (!json::find(record, "tool_call", call)) return;
  const bool is_done = json::text_at(record, "subtype") == "completed";
  Block block;
  block.kind = is_done ? Block::Kind::tool_result : Block::Kind::tool_use;
  block.id = json::text_at(record, "call_id");
  json::fields(call, [&](std::string_view key, json::element tool) {
    constexpr std::string_view kEnd = "ToolCall";
    const bool is_named = key.ends_with(kEnd) && key.size() > kEnd.size();
    if (!block.name.empty() || (!is_named && key != "function")) return;
    block.name = is_named ? key.substr(0, key.size() - kEnd.size()) : json::text_at(tool, "name");
    block.has_body = json::follow(tool, is_done ? "result/success|result" : "args|arguments", part);
    if (block.has_body) block.body = part, block.text = json::text(part);
    json::element failure;
    block.is_error = is_done && json::find(tool, "result", part) &&
                     json::follow(part, "error|failure|rejected|timeout", failure);
  });
  if (is_done) block.name = {};
  draft.role = is_done ? Message::Role::user : Message::Role::assistant;
  draft.blocks.push_back(block);
}

void read_result(json::element line, Utterance& said, Shard& shard) {
  json::element value;
  if (json::find(line, "usage", value)) {
    Utterance total = usage_of(said, kSessionInAll);
    total.tokens = read_usage(value, kCursorStreamCounts);
    if (states_usage(total)) shard.add(total);
  }
  if (!json::find(line, "is_error", value) || !json::is_true(value)) return;
  said.kind = Utterance::Kind::failed;
  said.error = shard.intern(json::text_at(line, "subtype"));
}

void say_streamed(json::element record, Draft& said) {
  json::element message;
  if (json::text_at(record, "type") == "tool_call") return read_cursor_call(record, said);
  if (json::find(record, "message", message)) read_message(message, said);
}

void read_streamed(const RecordMatcher& record, const Part& whole, Utterance&,
                   RecordContext& context) {
  Shard& shard = context.shard;
  const std::string_view type = json::text_at(record, "type");
  Utterance said;
  said.source = whole.at;
  mark_printed(said);
  said.session = shard.intern(json::text_at(record, "session_id"));
  said.answer = shard.intern(json::text_at(record, "model_call_id"));
  read_time_on(record, "timestamp_ms", said);
  if (type == "result") {
    read_result(record, said, shard);
    return shard.add(said);
  }
  if (type == "thinking") return shard.add(said);
  const bool is_answer = type == "assistant" || json::text_at(record, "subtype") == "started";
  said.kind = is_answer ? Utterance::Kind::answered : Utterance::Kind::asked;
  if (is_answer) said.outcome = Outcome::ok;
  if (!is_answer) said.answer = {};
  add_utterance(said, record, say_streamed, context);
}

constexpr RecordShape kCursorRecords[] = {
    {.when = "agentId:text latestRootBlobId:text messages:array",
     .read = read_store,
     .say = say_cursor<kStored>},
    // Claude Code also states the id of an answer and what started its agent.
    {.when =
         "type=user|assistant session_id:text message{role|content} message/content/0/type=text "
         "{type|message|session_id|timestamp_ms|model_call_id}",
     .read = read_streamed,
     .say = say_streamed},
    {.when = "type=tool_call session_id:text tool_call call_id !uuid",
     .read = read_streamed,
     .say = say_streamed},
    {.when = "type=thinking session_id:text subtype=delta|completed !uuid", .read = read_streamed},
    {.when = "type=system session_id:text subtype=init apiKeySource !tools !uuid",
     .session = {.id = "session_id", .model = "model", .project = "cwd"},
     .adds = Utterance::Kind::heading,
     .time = "timestamp_ms",
     .is_printed = true},
    {.when = "type=result session_id:text duration_ms !num_turns !total_cost_usd !uuid",
     .read = read_streamed},
    {.when = "{role|message} message/content:array role=user|assistant",
     .message = &kCursorMessages,
     .say = say_cursor<kCursorMessages>},
};

}  // namespace

extern constinit const Format kCursor = format_of_shapes<kCursorRecords>(
    "cursor", "transcripts of Cursor's agent, its CLI store and stream-json");

}  // namespace xtrace
