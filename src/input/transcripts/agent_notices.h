#pragma once

#include "input/common/json.h"

namespace xtrace {

struct Draft;

// What Claude Code tells of subagents in the background becomes their reports: results of no tool
// use, beside the words that tell of them.

/// Of notices that the client puts in the user's place. Is the text such notices?
bool read_notifications(Draft& draft);
/// Of results of tools by which the model asks for what a subagent said, in place of being told.
void read_task_outputs(Draft& draft);
/// Of what the client notes of a tool beside its output (`toolUseResult`): which command went on in
/// the background, or how one that did has ended.
void read_background_state(json::element noted, Draft& draft);

}  // namespace xtrace
