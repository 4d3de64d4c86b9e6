#include "input/transcripts/cursor_stream.h"

#include "base/one_of.h"
#include "input/common/utterance.h"
#include "input/transcripts/message_shape.h"
#include "input/transcripts/printed.h"
#include "input/transcripts/session_notes.h"
#include "input/transcripts/utterance_reader.h"

namespace xtrace {

// A line a record, much like those of Claude Code, but that no message has an id:
//
//   {"type": "system", "subtype": "init", "session_id", "model", "cwd", "apiKeySource"}
//   {"type": "user"|"assistant", "message": {"role", "content": [texts]}, "session_id"}
//   {"type": "tool_call", "subtype": "started"|"completed", "call_id",
//    "tool_call": {"readToolCall": {"args", "result": {"success"} or {"error"} or {"rejected"}}}}
//   {"type": "thinking", "subtype": "delta"|"completed", "text"}
//   {"type": "result", "subtype", "is_error", "result", "duration_ms"}
//
// Since 2026 lines have `timestamp_ms` and those of one answer `model_call_id`; without it an
// answer is what stands between two things that the model was told.

namespace {

constexpr UsageShape kCursorStreamCounts = {.input = "inputTokens",
                                            .output = "outputTokens",
                                            .cache_read = "cacheReadTokens",
                                            .cache_write = "cacheWriteTokens"};

bool has(json::element record, std::string_view key) {
  json::element value;
  return json::find(record, key, value);
}

/// Claude Code gives an answer the id that the API gave it, and names what started its agent.
bool is_bare_message(json::element record) {
  bool is_other = false;
  json::fields(record, [&](std::string_view key, json::element) {
    is_other |= !is_one_of(key, {"type", "message", "session_id", "timestamp_ms", "model_call_id"});
  });
  json::element message;
  if (is_other || !json::find(record, "message", message)) return false;
  json::fields(message, [&](std::string_view key, json::element) {
    is_other |= !is_one_of(key, {"role", "content"});
  });
  json::element content;
  return !is_other && json::follow(message, "content/0/type", content) &&
         json::text(content) == "text";
}

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
    Utterance total =
        usage_of(said, {.scope = UsageTerms::Scope::session, .form = UsageTerms::Form::total});
    total.tokens = read_usage(value, kCursorStreamCounts);
    if (states_usage(total)) shard.add(total);
  }
  if (!json::find(line, "is_error", value) || !json::is_true(value)) return;
  said.kind = Utterance::Kind::failed;
  said.error = shard.intern(json::text_at(line, "subtype"));
}

}  // namespace

bool fits_cursor_stream(json::element record) {
  const std::string_view type = json::text_at(record, "type");
  json::element value;
  if (json::text_at(record, "session_id").empty() || has(record, "uuid")) return false;
  if (type == "tool_call") return json::find(record, "tool_call", value) && has(record, "call_id");
  if (type == "user" || type == "assistant") return is_bare_message(record);
  if (type == "thinking")
    return is_one_of(json::text_at(record, "subtype"), {"delta", "completed"});
  if (type == "system")
    return json::text_at(record, "subtype") == "init" && has(record, "apiKeySource") &&
           !has(record, "tools");
  return type == "result" && has(record, "duration_ms") && !has(record, "num_turns") &&
         !has(record, "total_cost_usd");
}

void read_cursor_stream(json::element record, const Extent& at, RecordContext& context) {
  Shard& shard = context.shard;
  const std::string_view type = json::text_at(record, "type");
  Utterance said;
  said.source = at;
  mark_printed(said);
  said.session = shard.intern(json::text_at(record, "session_id"));
  said.answer = shard.intern(json::text_at(record, "model_call_id"));
  json::element time;
  if (json::find(record, "timestamp_ms", time)) read_time(time, said);
  if (type == "system") {
    said.kind = Utterance::Kind::heading;
    said.model = shard.intern(json::text_at(record, "model"));
    note_session(shard, SessionNote::Kind::project, at, said.session, json::text_at(record, "cwd"));
    return shard.add(said);
  }
  if (type == "result") {
    read_result(record, said, shard);
    return shard.add(said);
  }
  if (type == "thinking") return shard.add(said);
  const bool is_answer = type == "assistant" || json::text_at(record, "subtype") == "started";
  said.kind = is_answer ? Utterance::Kind::answered : Utterance::Kind::asked;
  if (is_answer) said.outcome = Outcome::ok;
  if (!is_answer) said.answer = {};
  add_utterance(said, record, say_cursor_stream, context);
}

void say_cursor_stream(json::element record, Draft& said) {
  json::element message;
  if (json::text_at(record, "type") == "tool_call") return read_cursor_call(record, said);
  if (json::find(record, "message", message)) read_message(message, said);
}

}  // namespace xtrace
