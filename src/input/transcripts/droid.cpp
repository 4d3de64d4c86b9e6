#include <algorithm>

#include "input/calls/message_draft.h"
#include "input/transcripts/record_shape.h"

namespace xtrace {

// The sessions of Factory's Droid, a line a record:
//
//   {"type": "session_start", "id", "title", "sessionTitle", "owner", "version", "cwd",
//    "callingSessionId", "callingToolUseId"}: the latter two of a subagent
//   {"type": "message", "id", "timestamp", "parentId", "message": {"role", "content": [blocks as
//    Anthropic has them], "modelId", "visibility": "user_only"|"llm_only"}}: the latter two may
//    stand beside the message, or nowhere
//   {"type": "agent_turn_outcome", "turnId", "reason": "completed"|"error"|"cancelled"}
//   {"type": "compaction_state", "summaryText"}, and todo_state, session_end
//
// They resemble those of pi, whose answers have usage and whose messages of the user have a time of
// their own. No message tells tokens: beside the session stands what all of it used up so far,
// `<id>.settings.json` with {"tokenUsage", "assistantActiveTimeMs", "model"}, which is not shared
// out.
//
// What `droid exec --output-format stream-json` prints, likewise a line a record:
//
//   {"type": "system", "session_id", "model", "cwd"}
//   {"type": "message", "role", "id", "text", "timestamp", "session_id"}
//   {"type": "tool_call", "id", "messageId", "toolName", "parameters", …}
//   {"type": "tool_result", "id", "isError", "value", …}: `toolCallId` in older versions
//   {"type": "completion", "finalText", "numTurns", …}: the last text once more

namespace {

bool is_put_in_by_droid(const Block& block) {
  return block.kind == Block::Kind::text && block.text.starts_with("<system-reminder>");
}

/// What only the user is shown, such as that a limit is reached, nobody said; what he is not shown
/// the program tells the model.
void adjust_droid(json::element line, Utterance& said, Draft& draft) {
  std::erase_if(draft.blocks, is_put_in_by_droid);
  const std::string seen_by = json::text_on(line, "visibility|message/visibility");
  const auto is_text = [](const Block& block) { return block.kind == Block::Kind::text; };
  if (seen_by == "llm_only" && std::ranges::all_of(draft.blocks, is_text) &&
      said.kind == Utterance::Kind::asked)
    draft.role = Message::Role::other;
  if (seen_by != "user_only") return;
  draft.blocks.clear();
  said.kind = Utterance::Kind::silent;
}

constexpr MessageShape kDroidMessages = {.id = "id",
                                         .model = "message/modelId|modelId",
                                         .time = "timestamp",
                                         .role = "message/role",
                                         .content = "message/content",
                                         .adjust = adjust_droid};

// A line is a piece by itself, of the kind that its keys tell.
constexpr PieceShape kStreamed[] = {
    {.type = "parameters",
     .says = PieceShape::Says::tool_use,
     .id = "toolCallId|id",
     .name = "toolName",
     .arguments = "parameters"},
    {.type = "value",
     .says = PieceShape::Says::tool_result,
     .id = "toolCallId|id",
     .output = "value",
     .failed = {.is_true = "isError", .exit_code = "value/exitCode"}},
    {.type = "text", .says = PieceShape::Says::text, .text = "text"},
    {.says = PieceShape::Says::nothing},
};

/// Tool uses name the answer that they are of; it has no other id.
constexpr MessageShape kDroidStream = {.session = "session_id",
                                       .answer = "messageId|id",
                                       .time = "timestamp",
                                       .role = "role|type",
                                       .model_roles = "tool_call",
                                       .user_roles = "tool_result",
                                       .content = ".",
                                       .type = "",
                                       .pieces = kStreamed};

/// The file has the session's name, and so have backups and copies of it. Subagents have settings
/// of their own, so the counts are of one agent.
constexpr UsageRecord kDroidUsage = {.terms = kAgentSoFar,
                                     .at = "tokenUsage",
                                     .counts = {.input = "inputTokens",
                                                .output = "outputTokens",
                                                .cache_read = "cacheReadTokens",
                                                .cache_write = "cacheCreationTokens"},
                                     .model = "model"};

constexpr RecordShape kDroidRecords[] = {
    {.when = "type=message session_id text !uuid", .is_printed = true, .message = &kDroidStream},
    {.when = "type=tool_call session_id toolName !uuid",
     .is_printed = true,
     .message = &kDroidStream},
    {.when = "type=tool_result session_id value !uuid",
     .is_printed = true,
     .message = &kDroidStream},
    {.when = "type=completion session_id finalText !uuid",
     .is_printed = true,
     .message = &kDroidStream},
    {.when = "type=system session_id model cwd !uuid !apiKeySource|mcp_servers|permissionMode",
     .session = {.id = "session_id", .model = "model"},
     .adds = Utterance::Kind::heading},
    {.when = "type=session_start id",
     .session = {.id = "id",
                 .parent = "callingSessionId",
                 .tool_use = "callingToolUseId",
                 .project = "cwd",
                 .ai_title = "sessionTitle|title"},
     .adds = Utterance::Kind::heading},
    // All of pi's messages have some of what none of these has.
    {.when = "type=message timestamp id message/content:array message/role=user|assistant "
             "!message/timestamp|message/api|message/provider|message/model|message/usage|"
             "message/stopReason",
     .message = &kDroidMessages},
    // What the user is shown of a failed turn is no answer; it failed the call that is owed one.
    {.when = "type=agent_turn_outcome turnId reason=error",
     .adds = Utterance::Kind::failed,
     .error = "reason",
     .is_owed = true},
    {.when = "type=agent_turn_outcome turnId reason=cancelled",
     .adds = Utterance::Kind::failed,
     .error_is = "aborted",
     .is_owed = true},
    {.when = "type=compaction_state", .adds = Utterance::Kind::compacted, .time = "timestamp"},
    {.when = "type=todo_state|session_end", .adds = Utterance::Kind::silent},
    {.when = "type=agent_turn_outcome turnId reason", .adds = Utterance::Kind::silent},
    {.when = "tokenUsage:object assistantActiveTimeMs|providerLock", .usage = &kDroidUsage},
    // Not all versions have these two.
    {.when = "tokenUsage/inputTokens:number tokenUsage/outputTokens:number "
             "tokenUsage/cacheReadTokens:number tokenUsage/cacheCreationTokens:number "
             "tokenUsage/thinkingTokens:number model:text "
             "reasoningEffort|autonomyMode|autonomyLevel|interactionMode !type",
     .usage = &kDroidUsage},
};

}  // namespace

extern constinit const Format kDroid = format_of_shapes<kDroidRecords>(
    "droid", "sessions of Factory's Droid; stream-json output of `droid exec`");

}  // namespace xtrace
