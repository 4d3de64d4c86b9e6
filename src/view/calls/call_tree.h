#pragma once

#include "view/calls/call_fields.h"

namespace xtrace {

/// The calls as a tree to read: sessions, their agents, the user's turns, the calls of each turn,
/// and below a call the subagents it spawned. Runs of calls with nothing remarkable fold into one
/// line where there are many, unless `unfold`.
Outline call_tree(const CallScene& scene, bool unfold);

}  // namespace xtrace
