#pragma once

#include "facts/trace.h"
#include "link/activities/activity.h"
#include "link/activities/deed.h"

namespace xtrace {

/// Did a tool use write or edit its targets, as far as the log shows: its tool does so, and it
/// neither failed nor was refused?
inline bool may_have_written(const Trace& trace, const Activity& tool) {
  return tool.use != nullptr && tool.outcome != Outcome::error &&
         tool.tool_error == ToolError::none &&
         (tool.use->patches || changes(deed_of(trace[tool.use->name])));
}

}  // namespace xtrace
