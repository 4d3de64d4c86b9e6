#include "input/transcripts/agent_notices.h"

#include "input/calls/message_draft.h"
#include "input/transcripts/task_notification.h"

namespace xtrace {

namespace {

void add_report(const TaskNotification& told, Draft& draft) {
  Block& report = draft.blocks.emplace_back();
  report.kind = Block::Kind::tool_result;
  report.is_report = true;
  report.id = told.agent;
  report.text = told.result;
  report.is_error = told.failed;
}

}  // namespace

bool read_notifications(Draft& draft) {
  if (draft.blocks.front().kind != Block::Kind::text) return false;
  const std::vector<TaskNotification> all = read_task_notifications(draft.blocks.front().text);
  if (all.empty()) return false;
  draft.role = Message::Role::other;
  for (const TaskNotification& told : all) add_report(told, draft);
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
    if (!told.agent.empty()) add_report(told, draft);
}

}  // namespace xtrace
