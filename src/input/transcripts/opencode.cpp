#include "base/one_of.h"
#include "input/calls/error_word.h"
#include "input/calls/message_draft.h"
#include "input/common/moments.h"
#include "input/common/record_context.h"
#include "input/transcripts/opencode_messages.h"
#include "input/transcripts/opencode_parts.h"
#include "input/transcripts/record_shape.h"
#include "input/transcripts/session_notes.h"
#include "input/transcripts/utterance_reader.h"

namespace xtrace {

// The sessions of OpenCode, as `opencode export` writes them, one a document:
//
//   {"info": {"id": "ses_…", "parentID", "version", "title", "directory"},
//    "messages": [{"info": {"id", "role", "time": {"created", "completed"}, "modelID",
//    "providerID",
//                           "agent", "cost", "tokens", "finish", "error", "summary"},
//                  "parts": [{"type": "text"|"reasoning"|"tool"|"retry"|"compaction"|…}]}]}
//
// A message of the assistant is one call, until 1.0 one for each of its steps; the use of a tool
// and its result are one part. A tool `task` names the session of the subagent that it started.
// Since 2.0 messages are made otherwise, see opencode_messages.h.

namespace {

bool has_part(json::element message, std::string_view type) {
  json::element parts;
  bool found = false;
  if (json::find(message, "parts", parts))
    json::items(parts, [&](json::element part) { found |= json::text_at(part, "type") == type; });
  return found;
}

/// A command of the user's that starts a subagent leaves an answer that no model gave.
void adjust_opencode(json::element message, Utterance& said, Draft&) {
  if (said.kind == Utterance::Kind::asked) return;
  if (said.cost == 0) said.cost = kNoCount;  // of subscriptions, and where no price is known
  said.is_of_client = said.outcome == Outcome::ok && said.tokens == Tokens{} &&
                      has_part(message, "tool") && !has_part(message, "step-finish") &&
                      !has_part(message, "text");
}

const MessageShape kOpencodeMessages = {
    .id = "info/id",
    .model = "info/modelID",
    .provider = "info/providerID",
    .time = "info/time/created",
    .ended = "info/time/completed",
    .role = "info/role",
    .content = "parts",
    .pieces = opencode_pieces(),
    .stop_reason = "info/finish",
    .error = "info/error",
    .cost = "info/cost",
    .usage = "info/tokens",
    .counts = kOpenCodeCounts,
    .adjust = adjust_opencode,
};

class Session {
 public:
  Session(json::element record, const Part& whole, RecordContext& context)
      : context_(context),
        shard_(context.shard),
        messages_(kOpencodeMessages, context),
        whole_(whole),
        id_(json::text_on(record, "info/id")) {
    messages_.keep_apart(id_);
    Utterance& common = messages_.common;
    common.session = shard_.intern(id_);
    const std::string parent = json::text_on(record, "info/parentID");
    if (parent.empty()) {
      note(record);
      head_opencode_session(record, "info/time/created", whole, common.session, shard_);
      return;
    }
    common.in_subagent = true;
    common.agent = common.session;
    common.session = shard_.intern(parent);
  }

  void read(json::element record) {
    each_item(record, whole_, "messages", [&](json::element message, const Part& part) {
      if (is_opencode_message(message)) return read_newer(message, part);
      json::element info, steps;
      if (json::find(message, "info", info) && json::find(message, "parts", steps) &&
          has_opencode_steps(info, steps)) {
        read_opencode_steps(message, part, context_);
        return;
      }
      if (messages_.common.in_subagent)
        messages_.common.agent_type = shard_.intern(json::text_on(message, "info/agent"));
      read_attempts(message, part);
      messages_.read(message, part);
      read_subagents(message, part);
      json::element summary;
      if (json::follow(message, "info/summary", summary) && json::is_true(summary)) {
        Utterance compacted = begin(Utterance::Kind::compacted, part);
        compacted.id = opencode_summary_id(json::text_on(message, "info/id"), shard_);
        compacted.form = Utterance::Form::summary;
        json::element value;
        if (json::follow(info, "time/completed|time/created", value))
          compacted.place = instant_of(value);
        shard_.add(compacted);
      }
    });
  }

 private:
  void note(json::element record) {
    const StringId session = messages_.common.session;
    note_session(shard_, SessionNote::Kind::project, whole_.at, session,
                 json::text_on(record, "info/directory"));
    const std::string title = json::text_on(record, "info/title");
    if (title.starts_with("New session - ")) return;  // and a date: it has none yet
    note_session(shard_, SessionNote::Kind::ai_title, whole_.at, session, title);
  }

  void read_newer(json::element message, const Part& part) {
    Utterance& common = messages_.common;
    if (common.in_subagent) common.agent_type = shard_.intern(json::text_at(message, "agent"));
    read_opencode_message(message, part, common, id_, context_);
  }

  Utterance begin(Utterance::Kind kind, const Part& part) const {
    Utterance said = messages_.common;
    said.kind = kind;
    said.source = part.at;
    return said;
  }

  template <class Each>
  static void for_each_part(json::element message, std::string_view type, Each each) {
    json::element parts;
    if (!json::find(message, "parts", parts)) return;
    json::items(parts, [&](json::element part) {
      if (json::text_at(part, "type") == type) each(part);
    });
  }

  /// Those before the one that was answered, each from when the one before it had failed.
  void read_attempts(json::element message, const Part& part) {
    json::element value;
    Utterance failed = begin(Utterance::Kind::failed, part);
    read_time_on(message, "info/time/created", failed);
    failed.model = shard_.intern(json::text_on(message, "info/modelID"));
    messages_.not_before = kNoTime;
    for_each_part(message, "retry", [&](json::element retry) {
      Utterance end;
      read_time_on(retry, "time/created|time/start", end);
      failed.id = shard_.intern(json::text_at(retry, "id"));
      const Duration took = elapsed(failed.time, end.time);
      failed.took = took >= Duration{0} ? took : kNoDuration;
      failed.error = shard_.intern(
          json::follow(retry, "error/data|error", value) ? error_word(value) : "error");
      shard_.add(failed);
      if (end.time != kNoTime) messages_.not_before = failed.time = end.time;
    });
  }

  void read_subagents(json::element message, const Part& part) {
    for_each_part(message, "tool", [&](json::element tool) {
      read_opencode_task(tool, kOpenCodePartTask, begin(Utterance::Kind::silent, part), shard_);
    });
  }

  RecordContext& context_;
  Shard& shard_;
  MessageReader messages_;
  const Part& whole_;
  const std::string id_;
};

void read_export(const RecordMatcher& record, const Part& whole, Utterance&,
                 RecordContext& context) {
  Session(record, whole, context).read(record);
}

void say_opencode(json::element part, Draft& said) {
  if (say_opencode_parts(part, said) || say_opencode_message(part, said)) return;
  say_message(part, kOpencodeMessages, said);
}

constexpr RecordShape kOpenCodeRecords[] = {
    {.when = "info/id=ses_* messages:array", .read = read_export, .say = say_opencode},
    {.when = "type=text|reasoning|tool_use|step_start|step_finish part:object sessionID:text "
             "timestamp:number",
     .read = read_opencode_line,
     .say = say_opencode},
    {.when = "type=error error:object sessionID:text timestamp:number",
     .read = read_opencode_line,
     .say = say_opencode},
    {.when = kOpenCodePart, .read = read_opencode_part, .say = say_opencode},
    {.when = kOpenCodeTextPart, .read = read_opencode_part, .say = say_opencode},
    {.when = kOpenCodeInfo, .read = read_opencode_info, .say = say_opencode},
    {.when = "projectID:text time/created:number id:text directory:text",
     .read = read_opencode_session},
};

}  // namespace

extern constinit const Format kOpenCode = format_of_shapes<kOpenCodeRecords>(
    "opencode",
    "sessions of OpenCode: exports, storage up to version 1.2, output of `opencode run`");

}  // namespace xtrace
