#include "base/one_of.h"
#include "input/calls/message_draft.h"
#include "input/common/format.h"
#include "input/common/json_path.h"
#include "input/common/record_context.h"
#include "input/transcripts/utterance_reader.h"

namespace xtrace {

// The sessions of GitHub Copilot CLI (`events.jsonl`), a line for each event:
//
//   {"type", "data": {…}, "id", "timestamp", "parentId", "agentId": of a subagent's}
//
//   session.start            {"sessionId", "selectedModel"}; session.model_change {"newModel"}
//   user.message             {"content"}
//   assistant.message        {"messageId", "apiCallId", "model", "content", "outputTokens",
//                             "toolRequests": [{"toolCallId", "name", "arguments"}]}: one call
//   tool.execution_complete  {"toolCallId", "success", "result": {"content"}, "error",
//                             "toolTelemetry": {"metrics": {"exit_code"}}}
//   subagent.started, .completed, .failed  {"toolCallId", "agentName", "durationMs"}
//   session.compaction_complete, session.error {"errorType", "statusCode"}, abort
//
// `parentId` is the line before. Of tokens only the output is told call by call; the others stand
// in sum at the end of the session, and are not shared out.

namespace {

bool tool_failed(json::element data) {
  json::element value;
  if (json::find(data, "success", value) && !json::is_true(value)) return true;
  if (json::is_true_on(data, "toolTelemetry/metrics/is_timeout")) return true;
  return json::count_on(data, "toolTelemetry/metrics/exit_code", 0) != 0;
}

void read_result(json::element data, Draft& draft) {
  draft.role = Message::Role::user;
  Block& told = draft.blocks.emplace_back();
  told.kind = Block::Kind::tool_result;
  told.id = json::text_at(data, "toolCallId");
  told.is_error = tool_failed(data);
  told.has_body = json::follow(data, "result/content|result|error/message|error", told.body);
  if (told.has_body) told.text = json::text(told.body);
}

void read_said(json::element line, Draft& draft) {
  const std::string_view type = json::text_at(line, "type");
  json::element data, calls;
  if (!json::find(line, "data", data)) return;
  if (type == "tool.execution_complete") return read_result(data, draft);
  draft.role = type == "assistant.message" ? Message::Role::assistant
               : type == "user.message"    ? Message::Role::user
                                           : Message::Role::other;
  add_text(json::text_at(data, "content"), draft);
  if (json::find(data, "toolRequests", calls))
    json::items(calls, [&](json::element call) {
      read_tool_use(call, {"toolCallId", "name", "arguments"}, draft);
    });
}

class Line {
 public:
  Line(const Extent& at, RecordContext& context) : context_(context), shard_(context.shard) {
    said_.source = at;
  }

  void read(json::element line) {
    json::element data, time;
    if (!json::find(line, "data", data)) return;
    if (json::find(line, "timestamp", time)) read_time(time, said_);
    said_.id = shard_.intern(json::text_at(line, "id"));
    // Older versions name no subagent but the tool use that started it.
    said_.agent = shard_.intern(json::text_on(line, "agentId|data/parentToolCallId"));
    said_.in_subagent = bool{said_.agent};
    const std::string_view type = json::text_at(line, "type");
    if (type == "session.start" || type == "session.model_change") return read_heading(data);
    if (type == "user.message" || type == "tool.execution_complete")
      return add(Utterance::Kind::asked, line);
    if (type == "assistant.message") return read_answer(data, line);
    if (type.starts_with("subagent.")) return read_subagent(type, data);
    if (type == "session.error" || type == "model.call_failure" || type == "abort")
      return read_failure(type, data);
    if (type == "session.compaction_complete") said_.kind = Utterance::Kind::compacted;
    shard_.add(said_);
  }

 private:
  void add(Utterance::Kind kind, json::element line) {
    said_.kind = kind;
    add_utterance(said_, line, read_said, context_);
  }

  void read_heading(json::element data) {
    Utterance heading;
    heading.kind = Utterance::Kind::heading;
    heading.source = said_.source;
    heading.session = shard_.intern(json::text_at(data, "sessionId"));
    heading.model = shard_.intern(json::text_on(data, "selectedModel|newModel"));
    shard_.add(heading);
  }

  void read_answer(json::element data, json::element line) {
    said_.model = shard_.intern(json::text_at(data, "model"));
    said_.answer = shard_.intern(json::text_on(data, "apiCallId|messageId"));
    said_.is_whole = json::count_on(data, "chunkCount", 1) <= 1;
    said_.outcome = Outcome::ok;
    // A count of nothing, though something was answered, is none.
    if (const int64_t output = json::count_on(data, "outputTokens", 0); output > 0)
      said_.tokens.output = output;
    add(Utterance::Kind::answered, line);
  }

  void read_subagent(std::string_view type, json::element data) {
    const std::string_view tool = json::text_at(data, "toolCallId");
    const bool is_started = type == "subagent.started";
    if (!is_started && !is_one_of(type, {"subagent.completed", "subagent.failed"}))
      return shard_.add(said_);
    said_.kind = is_started ? Utterance::Kind::agent : Utterance::Kind::report;
    if (!said_.agent) said_.agent = shard_.intern(tool);
    said_.tool_use = shard_.intern(tool);
    said_.agent_type = shard_.intern(json::text_at(data, "agentName"));
    if (const int64_t took = json::count_on(data, "durationMs", kNoCount); took != kNoCount)
      said_.took = std::chrono::milliseconds(took);
    shard_.add(said_);
  }

  void read_failure(std::string_view type, json::element data) {
    said_.kind = Utterance::Kind::failed;
    said_.outcome = Outcome::error;
    const int64_t status = json::count_on(data, "statusCode", 0);
    said_.error = shard_.intern(type == "abort" ? "aborted"
                                : status > 0    ? "http_" + std::to_string(status)
                                                : json::text_on(data, "errorType"));
    if (!said_.error) said_.error = shard_.intern("error");
    shard_.add(said_);
  }

  RecordContext& context_;
  Shard& shard_;
  Utterance said_;
};

bool fits_copilot_cli(json::element record) {
  json::element data, parent, time;
  if (!json::find(record, "data", data) || !json::is_object(data)) return false;
  if (!json::find(record, "parentId", parent) || !json::find(record, "timestamp", time))
    return false;
  const std::string_view type = json::text_at(record, "type");
  return type == "abort" || type.find('.') != std::string_view::npos;
}

void read_copilot_cli(json::element record, std::string_view, const Extent& at,
                      RecordContext& context) {
  context.shard.count_record();
  Line(at, context).read(record);
}

}  // namespace

extern constinit const Format kCopilotCli = {
    .name = "copilot-cli",
    .summary = "sessions of GitHub Copilot CLI",
    .fits = fits_copilot_cli,
    .read = read_copilot_cli,
    .say = read_said,
};

}  // namespace xtrace
