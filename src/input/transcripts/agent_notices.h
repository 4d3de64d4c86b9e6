#pragma once

namespace xtrace {

struct Draft;

// What Claude Code tells of subagents in the background becomes their reports: results of no tool
// use, beside the words that tell of them.

/// Of notices that the client puts in the user's place. Is the text such notices?
bool read_notifications(Draft& draft);
/// Of results of tools by which the model asks for what a subagent said, in place of being told.
void read_task_outputs(Draft& draft);

}  // namespace xtrace
