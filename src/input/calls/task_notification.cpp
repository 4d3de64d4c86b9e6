#include "input/calls/task_notification.h"

#include <algorithm>
#include <string>

#include "base/number.h"
#include "facts/record.h"
#include "input/common/ending.h"

namespace xtrace {

namespace {

/// What is between the tag's first opening and its last closing: a result may hold tags itself.
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

/// The number that the text begins with; -1: it begins with none.
int64_t number_at(std::string_view text) {
  const size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  return number_of<int64_t>(text.substr(0, end)).value_or(-1);
}

/// `failed with exit code 2`, `completed (exit code 0)`; -1: it tells none. The command that it
/// quotes precedes that.
int64_t exit_code_in(std::string_view summary) {
  constexpr std::string_view kWords = "exit code ";
  const size_t at = summary.rfind(kWords);
  return at == summary.npos ? -1 : number_at(summary.substr(at + kWords.size()));
}

constexpr std::string_view kIdLetters =
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_";

std::string_view id_behind(std::string_view mark, std::string_view text) {
  const size_t at = text.find(mark);
  if (at == text.npos) return {};
  const std::string_view id = text.substr(at + mark.size());
  return id.substr(0, std::min(id.find_first_not_of(kIdLetters), id.size()));
}

std::string_view last_line(std::string_view text) {
  text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
  return text.substr(text.rfind('\n') + 1);  // npos + 1 is 0
}

/// How outputs begin, or how their last line does, that tell that a tool goes on, and what stands
/// before its id.
struct GoesOn {
  std::string_view begins, holds, mark;
  bool is_last_line;
};
constexpr GoesOn kGoesOn[] = {
    {"Command running in background", {}, " ID: ", false},
    {"Command ", "to the background", " ID: ", false},
    {"Command ", "backgrounded", " ID: ", false},
    {"Workflow launched in background", {}, "Task ID: ", false},
    {"Async agent launched", {}, "agentId: ", false},
    {"<command with shellId: ", " is still running", "shellId: ", true},
};

}  // namespace

bool is_task_notification(std::string_view text) {
  return text.substr(first_word(text, 0)).starts_with(kNotice);
}

bool read_task_state(std::string_view status, int64_t exit_code, TaskNotification& told) {
  const Outcome outcome = outcome_named(status);
  if (!is_known(outcome) && exit_code < 0) return false;
  told.failed = outcome == Outcome::error || exit_code > 0;
  if (!told.failed) return true;
  const ToolError named = tool_error_named(status);
  told.error = exit_code > 0 || named == ToolError::other ? ToolError::execution : named;
  return true;
}

std::vector<TaskNotification> read_task_notifications(std::string_view text) {
  std::vector<TaskNotification> told;
  text.remove_prefix(first_word(text, 0));
  while (text.starts_with(kNotice)) {
    const size_t end = end_of_notice(text);
    const std::string_view notice = text.substr(0, end);
    const std::string_view head = notice.substr(0, notice.find("<result>"));
    TaskNotification one{inside(head, "task-id"), inside(head, "tool-use-id"),
                         inside(notice, "result")};
    const bool has_ended =
        read_task_state(inside(head, "status"), exit_code_in(inside(head, "summary")), one);
    if (has_ended && !(one.task.empty() && one.tool_use.empty())) told.push_back(one);
    text.remove_prefix(end);
  }
  return told;
}

TaskNotification read_task_output(std::string_view text) {
  TaskNotification told;
  const std::string_view last = last_line(text);
  if (last.starts_with("<shellId: ") && last.find(" completed with exit code ") != last.npos)
    return read_task_state({}, exit_code_in(last), told)
               ? (told.task = id_behind("shellId: ", last), told)
               : TaskNotification();
  if (!text.starts_with("<retrieval_status>")) return {};
  const std::string_view head = text.substr(0, text.find("<output>"));
  if (!read_task_state(inside(head, "status"), number_at(inside(head, "exit_code")), told))
    return {};
  told.task = inside(head, "task_id");
  if (inside(head, "task_type").ends_with("agent")) told.result = inside(text, "output");
  return told;
}

std::string_view background_task_in(std::string_view output) {
  constexpr size_t kLooked = 400;
  for (const GoesOn& one : kGoesOn) {
    const std::string_view said = one.is_last_line ? last_line(output) : output.substr(0, kLooked);
    if (!said.starts_with(one.begins)) continue;
    if (one.holds.empty() || said.find(one.holds) != said.npos)
      if (const std::string_view id = id_behind(one.mark, said); !id.empty()) return id;
  }
  return {};
}

}  // namespace xtrace
