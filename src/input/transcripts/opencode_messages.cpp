#include "input/transcripts/opencode_messages.h"

#include "input/calls/message_draft.h"
#include "input/common/moments.h"
#include "input/transcripts/opencode_parts.h"
#include "input/transcripts/utterance_reader.h"

namespace xtrace {

namespace {

constexpr PieceShape kOpenCodePieces[] = {
    {.type = "text", .says = PieceShape::Says::text, .text = "text"},
    {.type = "reasoning", .says = PieceShape::Says::thought},
    {.type = "tool",
     .says = PieceShape::Says::tool,
     .id = "id",
     .name = "name",
     .arguments = "state/input",
     .output = "state/error/message|state/content",
     .began = "time/ran|time/created",
     .ended = "time/completed"},
    {.says = PieceShape::Says::nothing},
};

constexpr OpenCodeTask kTask = {
    .names = {"subagent", "task"},
    .name = "name",
    .id = "id",
    .session = "state/metadata/sessionID|state/metadata/sessionId|state/structured/sessionID",
    .agent_type = "state/input/agent|state/input/subagent_type",
    .began = "time/ran|time/created",
    .ended = "time/completed"};

bool is_of(json::element message, std::string_view type) {
  return json::text_at(message, "type") == type;
}

/// A summary was asked for by the program, beside what the user and the model say.
void adjust_opencode_message(json::element message, Utterance& said, Draft&) {
  if (said.kind == Utterance::Kind::asked) return;
  if (said.cost == 0) said.cost = kNoCount;  // of subscriptions, and where no price is known
  if (!is_of(message, "compaction")) return;
  said.form = Utterance::Form::aside_summary;
  said.version = Utterance::Version::only;
}

constexpr MessageShape kMessages = {.id = "id",
                                    .model = "model/id",
                                    .provider = "model/providerID",
                                    .time = "time/created",
                                    .ended = "time/streamed|time/completed",
                                    .role = "type",
                                    .content = "content",
                                    .pieces = kOpenCodePieces,
                                    .stop_reason = "finish",
                                    .error = "error",
                                    .cost = "cost",
                                    .usage = "tokens",
                                    .counts = {.input = "input",
                                               .output = "output",
                                               .cache_read = "cache/read",
                                               .cache_write = "cache/write",
                                               .reasoning = "reasoning",
                                               .output_has_reasoning = false},
                                    .adjust = adjust_opencode_message};

constexpr MessageShape kPrompts = {.id = "id",
                                   .time = "time/created",
                                   .role = {},
                                   .spoken_by = Message::Role::user,
                                   .content = "text",
                                   .adjust = adjust_opencode_message};

constexpr MessageShape with_summaries() {
  MessageShape shape = kMessages;
  shape.role = {};
  shape.spoken_by = Message::Role::assistant;
  shape.content = "summary";
  return shape;
}
constexpr MessageShape kSummaries = with_summaries();

const MessageShape& shape_of(json::element message) {
  if (is_of(message, "compaction")) return kSummaries;
  return is_of(message, "user") ? kPrompts : kMessages;
}

bool has_usage(json::element message) {
  json::element tokens;
  return json::find(message, "tokens", tokens) && read_usage(tokens, kMessages.counts) != Tokens{};
}

/// One that is under way or failed leaves the conversation as it is.
void read_compaction(json::element message, const Part& part, const Utterance& common,
                     bool is_told_use, Shard& shard) {
  if (const std::string_view status = json::text_at(message, "status");
      !status.empty() && status != "completed")
    return;
  Utterance compacted = common;
  compacted.kind = Utterance::Kind::compacted;
  compacted.source = part.at;
  compacted.id = opencode_summary_id(json::text_at(message, "id"), shard);
  if (is_told_use) compacted.form = Utterance::Form::summary;
  json::element created;
  if (json::follow(message, "time/created", created)) compacted.place = instant_of(created);
  shard.add(compacted);
}

/// Before 2.0 was done the tool had another name.
void read_subagents(json::element message, const Utterance& common, const Part& part,
                    Shard& shard) {
  json::element content;
  if (!json::find(message, "content", content)) return;
  Utterance report = common;
  report.source = part.at;
  json::items(content, [&](json::element tool) {
    if (is_of(tool, "tool")) read_opencode_task(tool, kTask, report, shard);
  });
}

}  // namespace

bool is_opencode_message(json::element message) {
  json::element value;
  return json::text_at(message, "id").starts_with("msg_") &&
         !json::text_at(message, "type").empty() && json::find(message, "time", value) &&
         !json::find(message, "info", value) && !json::find(message, "role", value);
}

void read_opencode_message(json::element message, const Part& part, const Utterance& common,
                           std::string_view session, RecordContext& context) {
  const std::string_view type = json::text_at(message, "type");
  if (type != "user" && type != "assistant" && type != "compaction") return;
  const bool is_told_use = type == "compaction" && has_usage(message);
  if (type != "compaction" || is_told_use) {
    MessageReader reader(shape_of(message), context);
    reader.keep_apart(session);
    reader.common = common;
    reader.read(message, part);
  }
  if (type == "compaction")
    read_compaction(message, part, common, is_told_use, context.shard);
  else
    read_subagents(message, common, part, context.shard);
}

bool say_opencode_message(json::element part, Draft& said) {
  if (is_opencode_message(part)) return say_message(part, shape_of(part), said), true;
  bool has_tool = false;
  json::items(part, [&](json::element piece) {
    json::element value;
    has_tool |= is_of(piece, "tool") && !json::find(piece, "callID", value);
  });
  if (has_tool) say_message(part, kMessages, said);
  return has_tool;
}

}  // namespace xtrace
