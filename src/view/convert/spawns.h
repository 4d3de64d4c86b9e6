#pragma once

#include <cstdint>
#include <map>
#include <span>

#include "view/common/selection.h"

namespace xtrace {

/// How agents of a session were started by others of it that began before, as far as that is shown:
/// by the number of the started one's conversation. One that goes on later was started once.
/// `calls`: those of the session that are shown.
std::map<uint32_t, const Link*> spawns_among(std::span<const CallId> calls, const Graph& graph,
                                             const Selection& selection);

}  // namespace xtrace
