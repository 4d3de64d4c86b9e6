#pragma once

#include "input/common/json.h"

namespace xtrace {

/// Is it a line of a session of Claude Code, of its stream-json, or what it keeps beside them?
bool fits_claude_code(json::element record);
/// What stands beside a subagent's own file: its type, and the tool use that started it.
bool is_about_agent(json::element record);
/// `{"type": "launched"}`, with which the journal of a workflow begins, and any log may have.
bool is_launch(json::element record);

}  // namespace xtrace
