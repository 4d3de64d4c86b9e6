#pragma once

#include "input/common/json.h"
#include "input/common/shard.h"

namespace xtrace {

/// Adds what an event of Codex states about a run of a tool; events of other kinds add nothing.
void read_tool_end(json::element event, const Extent& at, Shard& shard);

}  // namespace xtrace
