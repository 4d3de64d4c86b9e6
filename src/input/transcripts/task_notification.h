#pragma once

#include <string_view>
#include <vector>

namespace xtrace {

struct Draft;

/// What Claude Code tells the model of a subagent that worked in the background and has ended.
struct TaskNotification {
  std::string_view agent;   ///< empty: the text tells of none
  std::string_view result;  ///< what the subagent said at last
  bool failed = false;
};

/// Reads `<task-notification>` with its `<task-id>`, `<status>` and `<result>`, as many as stand
/// one behind another. A notice without a result, as that of a command, is none.
std::vector<TaskNotification> read_task_notifications(std::string_view text);

/// Reads what the model is given when it asks for the output of a task (`TaskOutput`):
/// `<task_id>`, `<task_type>`, `<status>` and `<output>`. That of a command is none, nor is that of
/// a subagent that still works.
TaskNotification read_task_output(std::string_view text);

// What Claude Code tells of subagents in the background becomes their reports: results of no tool
// use, beside the words that tell of them.

/// Of notices that the client puts in the user's place. Is the text such notices?
bool read_notifications(Draft& draft);
/// Of results of tools by which the model asks for what a subagent said, in place of being told.
void read_task_outputs(Draft& draft);

}  // namespace xtrace
