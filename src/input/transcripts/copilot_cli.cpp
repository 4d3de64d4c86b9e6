#include "base/one_of.h"
#include "facts/credits.h"
#include "facts/tool_error.h"
#include "input/calls/message_draft.h"
#include "input/common/json_path.h"
#include "input/common/moments.h"
#include "input/common/record_context.h"
#include "input/transcripts/record_shape.h"
#include "input/transcripts/utterance_reader.h"

namespace xtrace {

// The sessions of GitHub Copilot CLI (`events.jsonl`), a line for each event:
//
//   {"type", "data": {…}, "id", "timestamp", "parentId", "agentId": of a subagent's}
//
//   session.start            {"sessionId", "selectedModel", "context": {"cwd"}};
//   session.model_change {"newModel"} user.message             {"content"} assistant.message
//   {"messageId", "apiCallId", "model", "content", "outputTokens",
//                             "toolRequests": [{"toolCallId", "name", "arguments"}]}: one call
//   tool.execution_complete  {"toolCallId", "success", "result": {"content"}, "error",
//                             "shellExecution": {"exitCode"} since 1.0.83, before that
//                             "toolTelemetry": {"metrics": {"exit_code"}}}
//   subagent.started, .completed, .failed  {"toolCallId", "agentName", "durationMs"}
//   session.compaction_complete {"success", "summaryContent", "compactionTokensUsed": {counts,
//                             "model", "duration"}}: a call as well
//   session.shutdown         {"modelMetrics": {MODEL: {"requests": {"count"}, "usage": {counts},
//                            "totalNanoAiu"}}, "totalNanoAiu", "tokenDetails": {"input", "output",
//                            "cache_read", "cache_write": {"tokenCount"}}}
//   session.usage_checkpoint {"totalNanoAiu"}, from time to time
//   session.error {"errorType", "statusCode"}
//   permission.completed {"toolCallId", "result": {"kind": "approved"…}}
//   session.permissions_changed {"allowAllPermissions"}
//   system.notification {"content", "kind": {"type": "shell_completed", "shellId", "exitCode"}}
//   abort                    by the user: of what was asked, of tools that run, or of nothing
//   assistant.usage          {"apiCallId", "model", counts, "copilotUsage": {"totalNanoAiu"}}: only
//                            in streams
//   session_store.usage      {"model", counts, "duration", "finishReason"}: a call, as a row of
//                            `session-store.db` tells it, from which this line is made
//
// `parentId` is the line before. Call by call, files state only output tokens; all kinds are in the
// totals at the end of each run of the program. Newer versions count on when a session is resumed,
// those of spring 2026 begin anew. Counts of input include what went through a cache, but those of
// `tokenDetails` do not.

namespace {

constexpr UsageShape kCopilotCliCounts = {.input = "inputTokens",
                                          .output = "outputTokens",
                                          .cache_read = "cacheReadTokens",
                                          .cache_write = "cacheWriteTokens",
                                          .reasoning = "reasoningTokens",
                                          .input_has_cache = true};

constexpr UsageShape kCopilotCliDetails = {.input = "input/tokenCount",
                                           .output = "output/tokenCount",
                                           .cache_read = "cache_read/tokenCount",
                                           .cache_write = "cache_write/tokenCount"};

constexpr Failure kCopilotFailure = {
    .is_true = "toolTelemetry/metrics/is_timeout",
    .is_false = "success",
    .exit_code = "shellExecution/exitCode|toolTelemetry/metrics/exit_code"};

void read_copilot_result(json::element data, Draft& draft) {
  draft.role = Message::Role::user;
  Block& told =
      add_block(Block::Kind::tool_result, data, "result/content|result|error/message|error", draft);
  told.id = json::text_at(data, "toolCallId");
  told.is_error = kCopilotFailure.is_in(data);
}

void read_copilot_notice(json::element data, Draft& draft) {
  TaskNotification told;
  if (!read_task_state({}, json::count_on(data, "kind/exitCode", -1), told)) return;
  told.task = draft.keep(json::text_on(data, "kind/shellId"));
  draft.ended.push_back(told);
}

void read_copilot_cli_said(json::element line, Draft& draft) {
  const std::string_view type = json::text_at(line, "type");
  json::element data, calls;
  if (!json::find(line, "data", data)) return;
  if (type == "tool.execution_complete") return read_copilot_result(data, draft);
  const bool is_summary = type == "session.compaction_complete";
  draft.role = is_summary || type == "assistant.message" ? Message::Role::assistant
               : type == "user.message"                  ? Message::Role::user
                                                         : Message::Role::other;
  add_text(json::text_at(data, is_summary ? "summaryContent" : "content"), draft);
  if (type == "system.notification") read_copilot_notice(data, draft);
  if (json::find(data, "toolRequests", calls))
    json::items(calls, [&](json::element call) {
      read_tool_use(call, {"toolCallId", "name", "arguments"}, draft);
    });
}

class CopilotCliLine {
 public:
  CopilotCliLine(const Utterance& said, RecordContext& context)
      : context_(context), shard_(context.shard), said_(said) {}

  void read(json::element line) {
    json::element data;
    if (!json::find(line, "data", data)) return;
    said_.in_subagent = bool{said_.agent};
    const std::string_view type = json::text_at(line, "type");
    if (type == "user.message" || type == "tool.execution_complete")
      return add(Utterance::Kind::asked, line);
    if (type == "assistant.message") return read_answer(data, line);
    if (type.starts_with("subagent.")) return read_subagent(type, data);
    if (type == "session.error" || type == "model.call_failure" || type == "abort")
      return read_failure(type, data);
    if (type == "session.compaction_complete") return read_compaction(data, line);
    if (type == "assistant.usage") return read_use(data);
    if (type == "session_store.usage") return read_stored_use(data);
    if (is_one_of(type, {"session.shutdown", "session.usage_checkpoint"})) read_totals(data);
    if (type == "permission.completed") note_allowed(data);
    if (json::element all; type == "session.permissions_changed" &&
                           json::find(data, "allowAllPermissions", all) && all.is_bool())
      note_leave(said_, json::is_true(all) ? AsksLeave::never : AsksLeave::always, shard_);
    if (type == "system.notification") return read_notice(data, line);
    shard_.add(said_);
  }

 private:
  void add(Utterance::Kind kind, json::element line) {
    said_.kind = kind;
    add_utterance(said_, line, read_copilot_cli_said, context_);
  }

  void read_answer(json::element data, json::element line) {
    said_.model = shard_.intern(json::text_at(data, "model"));
    said_.answer = shard_.intern(json::text_on(data, "apiCallId|messageId"));
    if (json::count_on(data, "chunkCount", 1) <= 1) said_.form = Utterance::Form::whole;
    said_.outcome = Outcome::ok;
    // A count of nothing, though something was answered, is none.
    if (const int64_t output = json::count_on(data, "outputTokens", 0); output > 0)
      said_.tokens.output = output;
    add(Utterance::Kind::answered, line);
  }

  /// What one call used up, which streams state and files do not.
  void read_use(json::element data) {
    Utterance used = usage_of(said_, kOfCall);
    used.answer = shard_.intern(json::text_at(data, "apiCallId"));
    if (!used.answer) used.usage.place = UsageTerms::Place::before;
    used.model = shard_.intern(json::text_at(data, "model"));
    used.outcome = Outcome::ok;
    used.tokens = read_usage(data, kCopilotCliCounts);
    used.cost = paid(data, "copilotUsage/totalNanoAiu");
    if (states_usage(used)) shard_.add(used);
  }

  /// The store names no answer; rows are written when the call is over.
  void read_stored_use(json::element data) {
    json::element duration;
    Utterance used =
        usage_of(said_, {.form = UsageTerms::Form::piece, .place = UsageTerms::Place::order});
    used.answer = said_.id;
    used.outcome = Outcome::ok;
    used.model = shard_.intern(json::text_at(data, "model"));
    used.stop_reason = shard_.intern(json::text_at(data, "finishReason"));
    used.tokens = read_usage(data, kCopilotCliCounts);
    if (json::find(data, "duration", duration)) used.took = read_milliseconds(duration);
    if (used.took != kNoDuration && used.time != kNoTime) used.time = after(used.time, -used.took);
    shard_.add(used);
  }

  /// The conversation goes on with a summary that a call of its own made.
  void read_compaction(json::element data, json::element line) {
    json::element used, value;
    if (json::find(data, "success", value) && !json::is_true(value)) return shard_.add(said_);
    Utterance compacted = said_;
    compacted.kind = Utterance::Kind::compacted;
    if (json::find(data, "compactionTokensUsed", used)) {
      said_.id = {};
      said_.answer = compacted.id;
      said_.model = shard_.intern(json::text_at(used, "model"));
      said_.tokens = read_usage(used, kCopilotCliCounts);
      said_.outcome = Outcome::ok;
      said_.form = Utterance::Form::aside_summary;
      if (json::find(used, "duration", value)) said_.took = read_milliseconds(value);
      if (said_.took != kNoDuration) said_.time = after(said_.time, -said_.took);
      add(Utterance::Kind::answered, line);
    }
    shard_.add(compacted);
  }

  /// What was used up so far. A count of nothing is none here too.
  void read_totals(json::element data) {
    json::element metrics, usage;
    Utterance total = usage_of(said_, kSessionSoFar);
    total.answer = said_.id;
    bool is_split = false;
    if (json::find(data, "modelMetrics", metrics))
      json::fields(metrics, [&](std::string_view model, json::element metric) {
        Utterance row = total;
        row.model = shard_.intern(model);
        if (json::find(metric, "usage", usage)) row.tokens = read_usage(usage, kCopilotCliCounts);
        row.usage.calls = json::count_on(metric, "requests/count", kNoCount);
        row.cost = paid(metric, "totalNanoAiu");
        if (row.tokens == Tokens{}) return;
        is_split = true;
        shard_.add(row);
      });
    if (!is_split && json::find(data, "tokenDetails", usage))
      total.tokens = read_usage(usage, kCopilotCliDetails);
    total.cost = paid(data, "totalNanoAiu");
    if (states_usage(total)) shard_.add(total);
  }

  static int64_t paid(json::element data, json::Path credits) {
    const int64_t stated = json::count_on(data, credits, kNoCount);
    return stated > 0 ? cost_of_credits(CreditKind::copilot_ai_credit, stated) : kNoCount;
  }

  void read_subagent(std::string_view type, json::element data) {
    const std::string_view tool = json::text_at(data, "toolCallId");
    const bool is_started = type == "subagent.started";
    if (!is_started && !is_one_of(type, {"subagent.completed", "subagent.failed"}))
      return shard_.add(said_);
    AgentRelation about = relation_of(
        said_, is_started ? AgentRelation::Kind::started : AgentRelation::Kind::reported,
        said_.agent);
    about.tool_use = shard_.intern(tool);
    if (!about.agent) about.agent = about.tool_use;
    about.agent_type = shard_.intern(json::text_at(data, "agentName"));
    if (const int64_t took = json::count_on(data, "durationMs", kNoCount); took != kNoCount)
      about.took = std::chrono::milliseconds(took);
    about.said_with = said_.id;
    shard_.add(about);
    if (type == "subagent.failed") note_failed(about.tool_use, json::text_at(data, "error"));
    said_.agent = {};  // it is stated of the subagent, and not by it
    said_.in_subagent = false;
    shard_.add(said_);
  }

  /// From then on the tool was at work.
  void note_allowed(json::element data) {
    if (!json::text_on(data, "result/kind").starts_with("approved")) return;
    ToolRun run{said_.source, shard_.intern(json::text_at(data, "toolCallId")), said_.time};
    run.took = Duration{0};
    shard_.add(run);
  }

  /// That a command in the background has ended, the model is told as well.
  void read_notice(json::element data, json::element line) {
    if (!json::text_on(data, "kind/type").starts_with("shell")) return shard_.add(said_);
    add(Utterance::Kind::asked, line);
  }

  /// What the tool gave back may look well.
  void note_failed(StringId tool_use, std::string_view words) {
    ToolRun run{said_.source, tool_use};
    run.error = shard_.intern(word(tool_error_in(words)));
    shard_.add(run);
  }

  void read_failure(std::string_view type, json::element data) {
    said_.kind = Utterance::Kind::failed;
    said_.outcome = Outcome::error;
    const int64_t status = json::count_on(data, "statusCode", 0);
    said_.error = shard_.intern(type == "abort" ? "aborted"
                                : status > 0    ? "http_" + std::to_string(status)
                                                : json::text_on(data, "errorType"));
    if (!said_.error) said_.error = shard_.intern("error");
    said_.is_owed = type == "abort";
    said_.model = shard_.intern(json::text_at(data, "model"));
    shard_.add(said_);
  }

  RecordContext& context_;
  Shard& shard_;
  Utterance said_;
};

constexpr RecordShape kCopilotCliRecords[] = {
    {.when = "data:object parentId:known timestamp:known type=session.start|session.model_change",
     .session = {.id = "data/sessionId",
                 .model = "data/selectedModel|data/newModel",
                 .project = "data/context/cwd"},
     .adds = Utterance::Kind::heading},
    // Older versions name no subagent but the tool use that started it.
    {.when = "data:object parentId:known timestamp:known type=abort|*.*",
     .id = "id",
     .time = "timestamp",
     .agent = "agentId|data/parentToolCallId",
     .read = read_with<CopilotCliLine, &CopilotCliLine::read>,
     .say = read_copilot_cli_said},
};

}  // namespace

extern constinit const Format kCopilotCli =
    format_of_shapes<kCopilotCliRecords>("copilot-cli", "sessions of GitHub Copilot CLI", "events");

}  // namespace xtrace
