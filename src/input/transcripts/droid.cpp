#include <algorithm>

#include "base/one_of.h"
#include "input/calls/message_draft.h"
#include "input/common/format.h"
#include "input/common/record_context.h"
#include "input/transcripts/message_shape.h"
#include "input/transcripts/printed.h"
#include "input/transcripts/session_notes.h"
#include "input/transcripts/utterance_reader.h"

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

bool droid_result_failed(json::element line) {
  return json::is_true_on(line, "isError") || json::count_on(line, "value/exitCode", 0) != 0;
}

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
     .failed = droid_result_failed},
    {.type = "text", .says = PieceShape::Says::text, .text = "text"},
    {.says = PieceShape::Says::nothing},
};

/// Tool uses name the answer that they are of; it has no other id.
constexpr MessageShape kStream = {.session = "session_id",
                                  .answer = "messageId|id",
                                  .time = "timestamp",
                                  .role = "role|type",
                                  .content = ".",
                                  .type = "",
                                  .pieces = kStreamed};

bool is_streamed(json::element record) {
  const std::string_view type = json::text_at(record, "type");
  json::element told;
  if (json::text_at(record, "session_id").empty() || json::find(record, "uuid", told)) return false;
  if (type == "system")
    return json::find(record, "model", told) && json::find(record, "cwd", told) &&
           !json::follow(record, "apiKeySource|mcp_servers|permissionMode", told);
  return (type == "message" && json::find(record, "text", told)) ||
         (type == "tool_call" && json::find(record, "toolName", told)) ||
         (type == "tool_result" && json::find(record, "value", told)) ||
         (type == "completion" && json::find(record, "finalText", told));
}

constexpr UsageShape kDroidCounts = {.input = "inputTokens",
                                     .output = "outputTokens",
                                     .cache_read = "cacheReadTokens",
                                     .cache_write = "cacheCreationTokens"};

constexpr std::string_view kAllCounts[] = {"inputTokens", "outputTokens", "cacheReadTokens",
                                           "cacheCreationTokens", "thinkingTokens"};

/// Not all versions tell how long the agent worked, or whose models it is bound to: then there are
/// all of Droid's counts, the model and how it is to work.
bool is_settings(json::element record) {
  json::element usage, other;
  if (!json::find(record, "tokenUsage", usage) || !json::is_object(usage)) return false;
  if (json::follow(record, "assistantActiveTimeMs|providerLock", other)) return true;
  const auto is_counted = [&](std::string_view key) {
    return json::find(usage, key, other) && json::is_number(other);
  };
  constexpr json::Path kWorks = "reasoningEffort|autonomyMode|autonomyLevel|interactionMode";
  return std::ranges::all_of(kAllCounts, is_counted) && json::text_at(record, "type").empty() &&
         !json::text_at(record, "model").empty() && !json::text_on(record, kWorks).empty();
}

/// The file has the session's name, and so have backups and copies of it. Subagents have settings
/// of their own, so the counts are of one agent.
void read_settings(json::element record, const Extent& at, Shard& shard) {
  Utterance total;
  total.kind = Utterance::Kind::used;
  total.usage = {.scope = UsageTerms::Scope::agent, .form = UsageTerms::Form::kept};
  total.source = at;
  total.model = shard.intern(json::text_at(record, "model"));
  json::element usage;
  if (json::find(record, "tokenUsage", usage)) total.tokens = read_usage(usage, kDroidCounts);
  if (states_usage(total)) shard.add(total);
}

class DroidLine {
 public:
  DroidLine(std::string_view text, const Extent& at, RecordContext& context)
      : part_{text, at}, context_(context), shard_(context.shard) {}

  void read(json::element line) {
    const std::string_view type = json::text_at(line, "type");
    if (type == "message") return MessageReader(kDroidMessages, context_).read(line, part_);
    if (type == "session_start") return read_start(line);
    if (type == "agent_turn_outcome") return read_outcome(line);
    if (type != "compaction_state") return shard_.add(begin(Utterance::Kind::silent));
    Utterance compacted = begin(Utterance::Kind::compacted);
    json::element time;
    if (json::find(line, "timestamp", time)) read_time(time, compacted);
    shard_.add(compacted);
  }

 private:
  Utterance begin(Utterance::Kind kind) const {
    Utterance said;
    said.kind = kind;
    said.source = part_.at;
    return said;
  }

  /// What the user was told of a turn that failed is no answer, so this is a call's failure where
  /// one is owed.
  void read_outcome(json::element line) {
    const std::string_view reason = json::text_at(line, "reason");
    if (!is_one_of(reason, {"error", "cancelled"}))
      return shard_.add(begin(Utterance::Kind::silent));
    Utterance failed = begin(Utterance::Kind::failed);
    failed.outcome = Outcome::error;
    failed.error = shard_.intern(reason == "cancelled" ? "aborted" : reason);
    failed.is_awaited = true;
    shard_.add(failed);
  }

  void read_start(json::element line) {
    Utterance heading = begin(Utterance::Kind::heading);
    heading.session = shard_.intern(json::text_at(line, "id"));
    const StringId caller = shard_.intern(json::text_at(line, "callingSessionId"));
    if (!caller) {
      note_session(shard_, SessionNote::Kind::project, part_.at, heading.session,
                   json::text_at(line, "cwd"));
      note_session(shard_, SessionNote::Kind::ai_title, part_.at, heading.session,
                   json::text_on(line, "sessionTitle|title"));
      return shard_.add(heading);
    }
    heading.agent = heading.session;
    heading.session = caller;
    heading.in_subagent = true;
    shard_.add(heading);
    Utterance started = heading;
    started.kind = Utterance::Kind::agent;
    started.tool_use = shard_.intern(json::text_at(line, "callingToolUseId"));
    shard_.add(started);
  }

  Part part_;
  RecordContext& context_;
  Shard& shard_;
};

/// Of a message that pi may have written as well, only the keys tell: all of pi's have some of
/// these.
bool is_droid_message(json::element record) {
  json::element message, content;
  if (json::text_at(record, "id").empty() || !json::find(record, "message", message)) return false;
  if (!json::find(message, "content", content) || !json::is_array(content)) return false;
  bool is_other = false;
  json::fields(message, [&](std::string_view key, json::element) {
    is_other |= is_one_of(key, {"timestamp", "api", "provider", "model", "usage", "stopReason"});
  });
  return !is_other && is_one_of(json::text_at(message, "role"), {"user", "assistant"});
}

bool fits_droid(json::element record) {
  const std::string_view type = json::text_at(record, "type");
  // Told apart by the type first, as lines of many other formats are asked about too.
  if (!is_one_of(type,
                 {"system", "message", "tool_call", "tool_result", "completion", "session_start",
                  "todo_state", "compaction_state", "session_end", "agent_turn_outcome"}))
    return is_settings(record);
  json::element time;
  if (is_streamed(record) || is_settings(record)) return true;
  if (type == "session_start") return !json::text_at(record, "id").empty();
  if (type == "agent_turn_outcome")
    return !json::text_at(record, "turnId").empty() && !json::text_at(record, "reason").empty();
  if (type == "message") return json::find(record, "timestamp", time) && is_droid_message(record);
  return is_one_of(type, {"todo_state", "compaction_state", "session_end"});
}

void read_droid(json::element record, std::string_view text, const Extent& at,
                RecordContext& context) {
  context.shard.count_record();
  if (is_settings(record)) return read_settings(record, at, context.shard);
  if (!is_streamed(record)) return DroidLine(text, at, context).read(record);
  if (json::text_at(record, "type") != "system") {
    MessageReader printed(kStream, context);
    mark_printed(printed.common);
    return printed.read(record, {text, at});
  }
  Utterance heading;
  heading.kind = Utterance::Kind::heading;
  heading.source = at;
  heading.session = context.shard.intern(json::text_at(record, "session_id"));
  heading.model = context.shard.intern(json::text_at(record, "model"));
  context.shard.add(heading);
}

void say_droid(json::element part, Draft& said) {
  say_message(part, is_streamed(part) ? kStream : kDroidMessages, said);
}

}  // namespace

extern constinit const Format kDroid = {
    .name = "droid",
    .summary = "sessions of Factory's Droid; stream-json output of `droid exec`",
    .fits = fits_droid,
    .needs = "type|tokenUsage",
    .read = read_droid,
    .say = say_droid,
};

}  // namespace xtrace
