#pragma once

#include "input/common/json.h"
#include "input/common/shard.h"

namespace xtrace {

/// What an event of Codex tells of a tool beside its output: which use (`item`), that it failed,
/// how long it ran. Nothing: it is an event of another kind.
void read_tool_end(json::element event, Shard& shard, Utterance& said);

}  // namespace xtrace
