#include "input/transcripts/task_notification.h"

#include <algorithm>
#include <string>

#include "base/one_of.h"
#include "input/calls/message_draft.h"

namespace xtrace {

namespace {

/// What stands between the tag's first opening and its last closing: a result may hold tags itself.
std::string_view inside(std::string_view text, std::string_view tag) {
  const std::string opening = '<' + std::string(tag) + '>';
  const size_t begin = text.find(opening);
  const size_t end = text.rfind("</" + opening.substr(1));
  if (begin == text.npos || end == text.npos || end < begin + opening.size()) return {};
  return text.substr(begin + opening.size(), end - begin - opening.size());
}

constexpr std::string_view kNotice = "<task-notification>", kNoticeEnd = "</task-notification>";

size_t first_word(std::string_view text, size_t from) {
  return std::min(text.find_first_not_of(" \t\r\n", from), text.size());
}

/// Where the notice ends that the text begins with. Its result may quote notices, so it ends where
/// the next one begins, or with the text.
size_t end_of_notice(std::string_view text) {
  for (size_t at = text.find(kNoticeEnd); at != text.npos; at = text.find(kNoticeEnd, at + 1)) {
    const size_t next = first_word(text, at + kNoticeEnd.size());
    if (text.substr(next).starts_with(kNotice)) return next;
  }
  return text.size();
}

TaskNotification read_notice(std::string_view notice) {
  const std::string_view head = notice.substr(0, notice.find("<result>"));
  const std::string_view result = inside(notice, "result");
  if (result.empty()) return {};
  return {inside(head, "task-id"), result, inside(head, "status") == "failed"};
}

void add_report(const TaskNotification& told, Draft& draft) {
  Block& report = draft.blocks.emplace_back();
  report.kind = Block::Kind::tool_result;
  report.is_report = true;
  report.id = told.agent;
  report.text = told.result;
  report.is_error = told.failed;
}

}  // namespace

std::vector<TaskNotification> read_task_notifications(std::string_view text) {
  std::vector<TaskNotification> told;
  text.remove_prefix(first_word(text, 0));
  while (text.starts_with(kNotice)) {
    const size_t end = end_of_notice(text);
    if (TaskNotification one = read_notice(text.substr(0, end)); !one.agent.empty())
      told.push_back(one);
    text.remove_prefix(end);
  }
  return told;
}

TaskNotification read_task_output(std::string_view text) {
  constexpr std::string_view kBegin = "<retrieval_status>";
  if (!text.starts_with(kBegin)) return {};
  const std::string_view head = text.substr(0, text.find("<output>"));
  const std::string_view status = inside(head, "status");
  if (!inside(head, "task_type").ends_with("agent") ||
      !is_one_of(status, {"completed", "failed", "killed"}))
    return {};
  return {inside(head, "task_id"), inside(text, "output"), status != "completed"};
}

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
