#pragma once

#include <string_view>

namespace xtrace {

/// What Claude Code tells the model when a subagent that worked in the background has ended.
struct TaskNotification {
  std::string_view agent;   ///< empty: the text is no such notice
  std::string_view result;  ///< what the subagent said at last
  bool failed = false;
};

/// Reads `<task-notification>` with its `<task-id>`, `<status>` and `<result>`. A notice without a
/// result, as that of a command, is none.
TaskNotification read_task_notification(std::string_view text);

}  // namespace xtrace
