#include "input/transcripts/kiro_events.h"

#include "base/one_of.h"
#include "input/calls/message_draft.h"
#include "input/transcripts/message_shape.h"
#include "input/transcripts/session_notes.h"

namespace xtrace {

namespace {

bool result_failed(json::element payload) {
  json::element success;
  bool is_fine = true;
  return json::find(payload, "success", success) && !success.get_bool().get(is_fine) && !is_fine;
}

constexpr PieceShape kKiroEventPieces[] = {
    {.type = "session_start", .says = PieceShape::Says::text, .text = "content"},
    {.type = "user", .says = PieceShape::Says::text, .text = "content"},
    {.type = "assistant", .says = PieceShape::Says::text, .text = "content"},
    {.type = "tool_call",
     .says = PieceShape::Says::tool_use,
     .id = "toolCallId",
     .name = "toolName",
     .arguments = "args"},
    {.type = "tool_result",
     .says = PieceShape::Says::tool_result,
     .id = "toolCallId",
     .output = "content",
     .failed = result_failed},
    {.says = PieceShape::Says::nothing},
};

void adjust_kiro_event(json::element record, Utterance& said, Draft& draft) {
  said.is_whole = false;
  said.answer = {};
  if (json::text_on(record, "payload/type") == "session_start") draft.role = Message::Role::user;
}

constexpr MessageShape kEvent = {.id = "id",
                                 .model = "payload/modelId",
                                 .time = "timestamp",
                                 .role = "payload/type",
                                 .content = "payload",
                                 .pieces = kKiroEventPieces,
                                 .adjust = adjust_kiro_event};

constexpr std::string_view kSaid[] = {"session_start", "user", "assistant", "tool_call",
                                      "tool_result"},
                           kOthers[] = {"turn_start",           "turn_end",
                                        "usage_summary",        "session_event",
                                        "session_metadata",     "pending_interaction",
                                        "interaction_resolved", "sub_agent_start",
                                        "sub_agent_complete",   "tombstone"};

}  // namespace

bool fits_kiro_event(json::element record) {
  json::element value;
  const std::string type = json::text_on(record, "payload/type");
  return !type.empty() && !json::text_at(record, "id").empty() &&
         !json::text_at(record, "timestamp").empty() && !json::find(record, "type", value) &&
         (is_one_of(type, kSaid) || is_one_of(type, kOthers));
}

bool fits_kiro_session(json::element record) {
  json::element paths;
  return !json::text_at(record, "id").empty() && !json::text_at(record, "schemaVersion").empty() &&
         json::find(record, "workspacePaths", paths) && json::is_array(paths);
}

void read_kiro_event(json::element record, const Part& whole, RecordContext& context) {
  if (is_one_of(json::text_on(record, "payload/type"), kSaid))
    MessageReader(kEvent, context).read(record, whole);
}

void note_kiro_session(json::element record, const Extent& at, Shard& shard) {
  const StringId session = shard.intern(json::text_at(record, "id"));
  note_session(shard, SessionNote::Kind::ai_title, at, session, json::text_at(record, "title"));
  note_session(shard, SessionNote::Kind::project, at, session,
               json::text_on(record, "workspacePaths/0"));
}

void say_kiro_event(json::element record, Draft& said) {
  say_message(record, kEvent, said);
}

}  // namespace xtrace
