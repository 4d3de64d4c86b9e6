#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/hash.h"
#include "facts/made_id.h"
#include "input/calls/message_draft.h"
#include "input/common/graph_parts.h"
#include "input/common/record_context.h"
#include "input/transcripts/record_shape.h"
#include "input/transcripts/session_notes.h"
#include "input/transcripts/utterance_reader.h"

namespace xtrace {

// Conversations of Kiro and of Amazon Q, which it was before: one a document, which `/save` writes
// and their database holds,
//
//   {"conversation_id", "history": [{
//      "user": {"content": {"Prompt": {"prompt"}} or {"ToolUseResults": {"tool_use_results":
//         [{"tool_use_id", "content", "status"}]}} or {"CancelledToolUses": …}, "timestamp"},
//      "assistant": {"Response": {"message_id", "content"}} or {"ToolUse": {"message_id",
//         "content", "tool_uses": [{"id", "name", "args"}]}},
//      "request_metadata": {"request_start_timestamp_ms", "stream_end_timestamp_ms", "model_id"}}]}
//
// and since version 2 a line a message,
//
//   {"version": "v1", "kind": "Prompt"|"AssistantMessage"|"ToolResults"|"Compaction",
//    "data": {"message_id", "content": [{"kind": "text"|"toolUse"|"toolResult"|…, "data"}],
//    "meta": {"timestamp": seconds}}}
//
// in a file that is called as the session. Beside it stands {"session_id", "parent_session_id",
// "cwd", "title", "session_state"}, which has {"conversation_metadata": {"user_turn_metadatas":
// [{"metering_usage": [{"value", "unit": "credit"}]}]}}. All counts of tokens are 0: nobody
// counted. What a credit costs depends on the plan. The IDE keeps an action a file
// (`.chat`), with all that was said before it in its execution:
//
//   {"executionId", "actionId", "chat": [{"role": "human"|"bot"|"tool", "content"}],
//    "metadata": {"modelId", "startTime", "endTime"}}
//
// and beside these, in `workspace-sessions`, what was said in a session:
//
//   {"sessionId", "title", "workspaceDirectory", "history": [{"message": {"id", "role", "content"},
//    "executionId"}]}
//
// without times and models, and of an answer perhaps only that it was begun: where the actions of
// an execution are at hand, they tell it. Newer ones of both write events, see below.

namespace {

// What Kiro's IDE keeps since 1.0, and its CLI as version 3, in a folder for each session: an event
// a line (`messages.jsonl`; those of its subagents in `sub-executions`),
//
//   {"id", "timestamp", "payload": {"type": "session_start"|"user"|"assistant", "content",
//    "modelId"}}
//   {…, "payload": {"type": "tool_call", "toolCallId", "toolName", "args"}}
//   {…, "payload": {"type": "tool_result", "toolCallId", "content", "success"}}
//
// and what the session is (`session.json`): {"schemaVersion", "id", "title", "workspacePaths"}.
// Usage is told in credits alone. No event names the answer that it is a piece of: what is said
// until a tool gives something or the user says more is one answer.

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
     .failed = {.is_false = "success"}},
    {.says = PieceShape::Says::nothing},
};

constexpr MessageShape kEvent = {.id = "id",
                                 .model = "payload/modelId",
                                 .is_piece = true,
                                 .time = "timestamp",
                                 .role = "payload/type",
                                 .model_roles = "tool_call",
                                 .user_roles = "session_start|tool_result",
                                 .content = "payload",
                                 .pieces = kKiroEventPieces};

/// A command that ran is a success, however it ended: `{"Json": {"exit_status": "1"}}`.
bool states_exit(json::element piece) {
  constexpr json::Path kCode = "exit_status|exitStatus|exit_code|exitCode";
  json::element content;
  bool failed = false;
  if (!json::follow(piece, "content|data/content", content)) return false;
  json::items(content, [&](json::element part) {
    json::element stated;
    if (!json::follow(part, "Json|json", stated) &&
        !(json::text_at(part, "kind") == "json" && json::find(part, "data", stated)))
      return;
    const std::string code = json::text_on(stated, kCode);
    const std::string_view word = std::string_view(code).substr(code.rfind(' ') + 1);
    failed |= !word.empty() && word != "0" && word.find_first_not_of("-0123456789") == word.npos;
  });
  return failed;
}

constexpr PieceShape kKiroResults[] = {{.type = "tool_use_id",
                                        .says = PieceShape::Says::tool_result,
                                        .id = "tool_use_id",
                                        .output = "content",
                                        .failed = {.stated = states_exit}}};

constexpr PieceShape kUses[] = {{.type = "args",
                                 .says = PieceShape::Says::tool_use,
                                 .id = "id",
                                 .name = "name|orig_name",
                                 .arguments = "args"}};

// Of an entry of the history, or of its part alone.
constexpr MessageShape kUser = {
    .time = "user/timestamp",
    .role = {},
    .spoken_by = Message::Role::user,
    .content =
        "user/content/Prompt/prompt|content/Prompt/prompt|"
        "user/content/CancelledToolUses/prompt|content/CancelledToolUses/prompt",
    .calls =
        "user/content/ToolUseResults/tool_use_results|content/ToolUseResults/"
        "tool_use_results|user/content/CancelledToolUses/tool_use_results|"
        "content/CancelledToolUses/tool_use_results",
    .type = {},
    .pieces = kKiroResults};

constexpr MessageShape kAssistant = {
    .id = "assistant/Response/message_id|assistant/ToolUse/message_id",
    .model = "request_metadata/model_id",
    .time = "request_metadata/request_start_timestamp_ms|user/timestamp",
    .ended = "request_metadata/stream_end_timestamp_ms",
    .role = {},
    .spoken_by = Message::Role::assistant,
    .content =
        "assistant/Response/content|Response/content|assistant/ToolUse/content|"
        "ToolUse/content",
    .calls = "assistant/ToolUse/tool_uses|ToolUse/tool_uses",
    .type = {},
    .pieces = kUses};

constexpr PieceShape kKiroPieces[] = {
    {.type = "text", .says = PieceShape::Says::text, .text = "data"},
    {.type = "thinking", .says = PieceShape::Says::thought},
    {.type = "toolUse",
     .says = PieceShape::Says::tool_use,
     .id = "data/toolUseId",
     .name = "data/name",
     .arguments = "data/input"},
    {.type = "toolResult",
     .says = PieceShape::Says::tool_result,
     .id = "data/toolUseId",
     .output = "data/content",
     .failed = {.outcome = "data/status", .stated = states_exit}},
    {.says = PieceShape::Says::nothing},
};

constexpr MessageShape kLine = {.id = "data/message_id",
                                .time = "data/meta/timestamp",
                                .role = "kind",
                                .model_roles = "AssistantMessage",
                                .user_roles = "Prompt|ToolResults",
                                .content = "data/content",
                                .type = "kind",
                                .pieces = kKiroPieces};

/// What is said is text alone.
constexpr MessageShape kChat = {.role = "role"};

/// The last answer is that of the action; those before it are also in the files of theirs.
void read_kiro_chat(const RecordMatcher& record, const Part& whole, Utterance&,
                    RecordContext& context) {
  json::element messages;
  MessageReader reader(kChat, context);
  Shard& shard = context.shard;
  const std::string execution = json::text_on(record, "executionId");
  reader.common.session = shard.intern(execution);
  size_t answers = 0, nth = 0;
  if (json::find(record, "chat", messages))
    json::items(messages,
                [&](json::element message) { answers += json::text_at(message, "role") == "bot"; });
  each_item(record, whole, "chat", [&](json::element message, const Part& part) {
    Utterance& common = reader.common;
    common.id = shard.intern(execution + "/" + std::to_string(nth++));
    const bool is_answer = json::text_at(message, "role") == "bot";
    const bool is_last = is_answer && --answers == 0;
    common.way = is_last ? Utterance::Way::kept : Utterance::Way::copied;
    if (is_last) {
      common.model = shard.intern(json::text_on(record, "metadata/modelId"));
      Utterance end;
      read_time_on(record, "metadata/startTime", common);
      read_time_on(record, "metadata/endTime", end);
      if (elapsed(common.time, end.time) >= Duration{0})
        common.took = elapsed(common.time, end.time);
    }
    reader.read(message, part);
  });
}

/// The execution that each entry of the history is part of: prompts may not tell it, and belong to
/// the one of the answer.
std::vector<StringId> executions_of(json::element record, Shard& shard) {
  std::vector<StringId> executions;
  json::element history;
  size_t unstated = 0;
  if (!json::find(record, "history", history)) return executions;
  json::items(history, [&](json::element entry) {
    const StringId stated = shard.intern(json::text_at(entry, "executionId"));
    const bool is_answer = json::text_on(entry, "message/role") == "assistant";
    executions.push_back(stated);
    if (stated)
      std::fill(executions.begin() + static_cast<std::ptrdiff_t>(unstated), executions.end(),
                stated);
    if (stated || is_answer) unstated = executions.size();
  });
  return executions;
}

void read_workspace_session(const RecordMatcher& record, const Part& whole, Utterance&,
                            RecordContext& context) {
  Shard& shard = context.shard;
  const StringId session = shard.intern(json::text_at(record, "sessionId"));
  const std::vector<StringId> executions = executions_of(record, shard);
  MessageReader reader(kChat, context);
  StringId before;
  size_t nth = 0;
  each_item(record, whole, "history", [&](json::element entry, const Part& part) {
    const StringId execution = executions[nth++];
    if (execution && execution != session && execution != before) {
      AgentRelation portion = relation_of({}, AgentRelation::Kind::portion, execution);
      portion.source = part.at;
      portion.session = session;
      shard.add(portion);
    }
    before = execution;
    reader.common.session = execution ? execution : session;
    reader.common.way = execution ? Utterance::Way::echoed : Utterance::Way::kept;
    reader.common.form = execution ? Utterance::Form::whole : Utterance::Form::piece;
    json::element message;
    if (!json::find(entry, "message", message)) return;
    const std::string id = json::text_on(message, "id");  // which others may have as well
    reader.common.id = shard.intern(id.empty() ? id : fmt::format("{}/{}", shard[session], id));
    reader.read(message, part.field("message"));
  });
}

/// Versions that give tool uses no ids leave out what these gave, and who said it.
bool says_nothing(json::element entry) {
  json::element content;
  return !json::follow(entry, "user/content", content) || content.is_null();
}

size_t unnamed_uses(json::element entry) {
  json::element uses;
  size_t unnamed = 0, all = 0;
  if (!json::follow(entry, "assistant/ToolUse/tool_uses", uses)) return 0;
  json::items(uses, [&](json::element use) {
    ++all;
    unnamed += json::text_at(use, "id").empty();
  });
  return unnamed == all ? unnamed : 0;
}

/// The model was told of the tools, though not what they gave: results without words, each of the
/// use in its place.
void add_untold_results(json::element entry, const std::string& order, size_t count,
                        const Utterance& common, const Part& place, RecordContext& context) {
  Utterance said = common;
  said.kind = Utterance::Kind::asked;
  said.source = place.at;
  read_time_on(entry, "user/timestamp", said);
  Draft& draft = cleared(context.draft);
  draft.role = Message::Role::user;
  draft.ids_of = hash_of(order);
  for (size_t i = 0; i < count; ++i) {
    Block& result = draft.blocks.emplace_back();
    result.kind = Block::Kind::tool_result;
    result.id = draft.keep(fmt::format("{}-{}", order, i));
  }
  add_utterance(said, draft, context);
}

void read_kiro_history(const RecordMatcher& record, const Part& whole, Utterance&,
                       RecordContext& context) {
  MessageReader asked(kUser, context), answered(kAssistant, context);
  for (MessageReader* reader : {&asked, &answered})
    reader->common.session = context.shard.intern(json::text_at(record, "conversation_id"));
  size_t nth = 0, unnamed = 0;  // tool uses of the entry before
  each_item(record, whole, "history", [&](json::element entry, const Part& part) {
    const Part user = part.field("user"), assistant = part.field("assistant");
    const Part& place = user.text.empty() ? part : user;
    if (unnamed > 0 && says_nothing(entry))
      add_untold_results(entry, answered.order, unnamed, asked.common, place, context);
    else
      asked.read(entry, place);
    answered.order = fmt::format("{}{:016x}-{}", kByOrder, context.digest, ++nth);
    answered.read(entry, assistant.text.empty() ? part : assistant);
    unnamed = unnamed_uses(entry);
  });
}

/// What all turns of a session so far used up.
void add_credits(json::element record, StringId session, const Extent& at, Shard& shard) {
  json::element turns, meters, value;
  if (!json::follow(record, "session_state/conversation_metadata/user_turn_metadatas", turns))
    return;
  Utterance total = usage_of({}, {.scope = UsageTerms::Scope::agent,
                                  .form = UsageTerms::Form::kept,
                                  .unit = UsageTerms::Unit::credits});
  total.source = at;
  total.session = session;
  json::items(turns, [&](json::element turn) {
    if (!json::find(turn, "metering_usage", meters)) return;
    json::items(meters, [&](json::element meter) {
      if (json::text_at(meter, "unit") == "credit" && json::find(meter, "value", value))
        total.cost = sum_of_known({total.cost, read_dollars(value)});
    });
  });
  if (total.cost > 0) shard.add(total);
}

void read_about_session(const RecordMatcher& record, const Part& whole, Utterance& said,
                        RecordContext& context) {
  Shard& shard = context.shard;
  add_credits(record, said.session, whole.at, shard);
  AgentRelation about = relation_of(said, AgentRelation::Kind::started, said.session);
  about.session = shard.intern(json::text_at(record, "parent_session_id"));
  if (about.session) shard.add(about);
}

void say_part_of_history(json::element part, Draft& said) {
  json::element found;
  if (json::find(part, "role", found)) return say_message(part, kChat, said);
  const bool is_answer = json::follow(part, "Response|ToolUse|assistant", found);
  say_message(part, is_answer ? kAssistant : kUser, said);
}

constexpr SessionShape kAboutSession = {.id = "session_id", .project = "cwd", .ai_title = "title"};

constexpr RecordShape kKiroRecords[] = {
    {.when = "history/0/user history/0/assistant",
     .read = read_kiro_history,
     .say = say_part_of_history},
    {.when = "version=v1 kind=Prompt|AssistantMessage|ToolResults data", .message = &kLine},
    {.when = "version=v1 kind=Compaction data",
     .adds = Utterance::Kind::compacted,
     .id = "data/message_id",
     .time = "data/meta/timestamp"},
    // Others name sessions and their parents as well.
    {.when = "session_id:text session_state/conversation_metadata",
     .session = kAboutSession,
     .read = read_about_session},
    {.when = "session_id:text parent_session_id:text cwd:text created_at",
     .session = kAboutSession,
     .read = read_about_session},
    {.when = "session_id:text session_state:object cwd:text created_at",
     .session = kAboutSession,
     .read = read_about_session},
    {.when = "executionId:text chat:array metadata", .read = read_kiro_chat},
    // Continue keeps its sessions in the same words, but without these ids.
    {.when = "sessionId:text workspaceDirectory history/0/message/role "
             "history/0/message/id|history/0/executionId",
     .session = {.id = "sessionId", .project = "workspaceDirectory", .title = "title"},
     .read = read_workspace_session},
    {.when = "payload/type=session_start|user|assistant|tool_call|tool_result id:text "
             "timestamp:text !type",
     .message = &kEvent},
    {.when =
         "payload/type=turn_start|turn_end|usage_summary|session_event|session_metadata|"
         "pending_interaction|interaction_resolved|sub_agent_start|sub_agent_complete|tombstone "
         "id:text timestamp:text !type"},
    {.when = "id:text schemaVersion:text workspacePaths:array",
     .session = {.id = "id", .project = "workspacePaths/0", .ai_title = "title"}},
};

}  // namespace

extern constinit const Format kKiro = format_of_shapes<kKiroRecords>(
    "kiro", "conversations and sessions of Kiro and Amazon Q (CLI and IDE)", "messages|session");

}  // namespace xtrace
