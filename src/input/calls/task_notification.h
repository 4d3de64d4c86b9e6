#pragma once

#include <string_view>
#include <vector>

#include "facts/tool_error.h"

namespace xtrace {

// What clients tell the model of what goes on in the background: a command, a subagent, a workflow.
//
//   Claude Code: the result of the tool, `Command running in background with ID: b1`, and later
//     <task-notification> with <task-id>, <tool-use-id>, <status>, <summary>Background command "…"
//     failed with exit code 2</summary> and, of a subagent, its <result>; or, where the model asks,
//     <task_id>, <task_type>, <status>, <exit_code> and <output>
//   Copilot CLI: `<command with shellId: 3 is still running …>`, and later
//     `<shellId: 3 completed with exit code 0>`

/// That something in the background has ended.
struct TaskNotification {
  std::string_view task;      ///< its id
  std::string_view tool_use;  ///< that started it; empty: it is not told
  std::string_view result;    ///< what a subagent said at last; empty: it is none
  bool failed = false;
  ToolError error = ToolError::none;  ///< of one that failed
};

/// Begins a text with a notice?
bool is_task_notification(std::string_view text);
/// Reads `<task-notification>`, as many as stand one behind another; those that state no end are
/// left out.
std::vector<TaskNotification> read_task_notifications(std::string_view text);
/// Reads what a tool gave that the model asked for the state of a task. The `task` is empty where
/// it shows no end.
TaskNotification read_task_output(std::string_view text);
/// The same by a status and an exit code that a log has in fields of their own: empty and below 0
/// where it has none. False: it has not ended.
bool read_task_state(std::string_view status, int64_t exit_code, TaskNotification& told);

/// By which id the tool goes on in the background that gave this; empty: it does not.
std::string_view background_task_in(std::string_view output);

}  // namespace xtrace
