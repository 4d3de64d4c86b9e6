#include <algorithm>

#include "base/one_of.h"
#include "facts/hook_runs.h"
#include "input/calls/task_notification.h"
#include "input/common/json_path.h"
#include "input/common/shard.h"
#include "input/transcripts/claude_code_parts.h"

namespace xtrace {

namespace {

/// Where words come from that a person wrote.
constexpr std::string_view kPersons[] = {"human", "cli", "channel"};

/// As they are kept, and printed.
constexpr std::string_view kMarksOfClient[] = {"isMeta", "isCompactSummary",
                                               "isVisibleInTranscriptOnly", "isSynthetic"};

/// Did a person write it? Older versions do not show who did, but how it was put in.
bool is_persons(json::element attachment) {
  json::element origin;
  if (json::is_true_on(attachment, "isMeta")) return false;
  if (json::find(attachment, "origin", origin)) return is_of_person(origin);
  return json::text_at(attachment, "commandMode") == "prompt";
}

bool begins_with(std::string_view words, const Draft& draft) {
  return !draft.blocks.empty() && draft.blocks.front().kind == Block::Kind::text &&
         draft.blocks.front().text.starts_with(words);
}

}  // namespace

bool is_of_person(json::element origin) {
  return is_one_of(json::text_at(origin, "kind"), kPersons);
}

bool is_of_client(const RecordMatcher& line) {
  return std::ranges::any_of(kMarksOfClient,
                             [&](std::string_view mark) { return line.is_true(mark); });
}

void read_attached(json::element attachment, Draft& draft) {
  draft.role = is_persons(attachment) ? Message::Role::user : Message::Role::other;
  json::element words;
  if (json::text_at(attachment, "type") != "queued_command" ||
      !json::find(attachment, "prompt", words))
    return;
  if (json::is_string(words)) read_block(words, draft);
  json::items(words, [&](json::element block) { read_block(block, draft); });
}

bool is_of_teammate(const Draft& draft) {
  return begins_with("<teammate-message ", draft);
}

bool is_interruption(const Draft& draft) {
  return draft.blocks.size() == 1 && begins_with("[Request interrupted by user", draft);
}

void read_denial(const RecordMatcher& line, Draft& draft) {
  const std::string_view kind = line.text_at("toolDenialKind");
  if (kind.empty()) return;
  const bool was_stopped = kind == "interrupted" || kind == "cancelled";
  for (Block& block : draft.blocks)
    if (block.kind == Block::Kind::tool_result && block.is_error)
      block.error = was_stopped ? ToolError::cancelled : ToolError::denied;
}

namespace {

/// Of one run there may be several attachments; these state how it ended.
constexpr std::string_view kEnds[] = {
    "hook_blocking_error",     "hook_cancelled", "hook_error_during_execution",
    "hook_non_blocking_error", "hook_progress",  "hook_success"};
constexpr std::string_view kStop = "Stop";
constexpr std::string_view kFeedback = " hook feedback:";

void note(std::string_view key, std::string_view event, int64_t times, const Utterance& said,
          Shard& shard) {
  Measurement told{said.source, said.time, shard.intern(event), said.session, key};
  told.number = static_cast<double>(times);
  shard.add(told);
}

}  // namespace

void note_hook(json::element told, const Utterance& said, Shard& shard) {
  const std::string_view type = json::text_at(told, "type");
  const std::string_view event = json::text_at(told, "hookEvent");
  if (!is_one_of(type, kEnds) || event.empty()) return;
  if (event == kStop && type == "hook_progress") return;  // a summary follows
  const std::string_view name = json::text_at(told, "hookName");
  note(kHookRuns, name.empty() ? event : name, 1, said, shard);
  if (type == "hook_blocking_error" && event.ends_with(kStop))
    note(kHookBlocks, event, 1, said, shard);
}

void note_stop_hooks(json::element line, const Utterance& said, Shard& shard) {
  const int64_t count = json::count_on(line, "hookCount", 1);
  if (count > 0) note(kHookRuns, kStop, count, said, shard);
}

void note_hook_feedback(const Draft& draft, const Utterance& said, Shard& shard) {
  if (draft.blocks.empty() || draft.blocks.front().kind != Block::Kind::text) return;
  const std::string_view text = draft.blocks.front().text;
  const size_t end = text.substr(0, text.find('\n')).find(kFeedback);
  if (end == std::string_view::npos || !text.substr(0, end).ends_with(kStop)) return;
  note(kHookBlocks, text.substr(0, end), 1, said, shard);
}

namespace {

void add_report(const TaskNotification& told, Draft& draft) {
  Block& report = draft.blocks.emplace_back();
  report.kind = Block::Kind::tool_result;
  report.is_report = true;
  report.id = told.task;
  report.text = told.result;
  report.is_error = told.failed;
}

}  // namespace

bool read_notifications(Draft& draft) {
  if (draft.blocks.front().kind != Block::Kind::text) return false;
  const std::string_view text = draft.blocks.front().text;
  if (!is_task_notification(text)) return false;
  draft.role = Message::Role::other;
  for (const TaskNotification& told : read_task_notifications(text))
    if (!told.result.empty()) add_report(told, draft);
  return true;
}

void read_task_outputs(Draft& draft) {
  std::vector<TaskNotification> all;
  for (const Block& block : draft.blocks) {
    if (block.kind != Block::Kind::tool_result) continue;
    all.push_back(read_task_output(block.text));
    if (block.has_body)
      json::items(block.body, [&](json::element part) {
        all.push_back(read_task_output(json::text_at(part, "text")));
      });
  }
  for (const TaskNotification& told : all)
    if (!told.result.empty()) add_report(told, draft);
}

void read_background_state(json::element noted, Draft& draft) {
  if (std::string task = json::text_on(noted, "backgroundTaskId"); !task.empty()) {
    const std::string_view kept = draft.keep(std::move(task));
    for (Block& block : draft.blocks)
      if (block.kind == Block::Kind::tool_result) block.task = kept;
    return;
  }
  // Of BashOutput and TaskOutput; what the model has stopped itself has not failed.
  std::string task = json::text_on(noted, "shellId|task/task_id");
  if (task.empty() || json::text_on(noted, "task/task_type").ends_with("agent")) return;
  TaskNotification told;
  if (!read_task_state(json::text_on(noted, "status|task/status"),
                       json::count_on(noted, "exitCode|task/exitCode", -1), told))
    return;
  told.task = draft.keep(std::move(task));
  draft.ended.push_back(told);
}

}  // namespace xtrace
