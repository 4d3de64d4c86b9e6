#include "input/transcripts/agent_notices.h"

#include "input/calls/message_draft.h"
#include "input/calls/task_notification.h"
#include "input/common/json_path.h"

namespace xtrace {

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
