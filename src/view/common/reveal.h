#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "link/graph/graph.h"
#include "redact/door.h"

namespace xtrace {

/// Registers with the Door, before any text passes, which nodes a user wants to see unredacted. An
/// id is that of a call, a tool use (and so its call), a span or an actor, as the log has it or as
/// an answer under `policy` shows it; or `file:line`, `file@offset`. Of a record all texts are
/// revealed, of an actor its name. Exit::no, with the nearest, where there is none or several.
Status reveal(const std::vector<std::string>& ids, const Graph& graph, const RedactPolicy& policy,
              Door& door);

}  // namespace xtrace
