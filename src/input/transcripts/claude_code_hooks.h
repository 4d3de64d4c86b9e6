#pragma once

#include "input/common/json.h"
#include "input/common/utterance.h"

namespace xtrace {

class Shard;
struct Draft;

// Hooks are programs of the user that Claude Code runs at certain events:
//
//   {"type": "progress", "data": {"type": "hook_progress", "hookEvent", "hookName"}}
//   {"type": "attachment", "attachment": {"type": "hook_success", "hookEvent", "hookName"}}
//   {"type": "system", "subtype": "stop_hook_summary", "hookCount"}
//
// One that keeps the agent from ending its turn is quoted to the model in a message that begins
// with `Stop hook feedback:`.

/// Notes the hooks that the `data` of a progress line, or an attachment, states to have run.
void note_hook(json::element told, const Utterance& said, Shard& shard);
/// The same of a summary of the hooks that ran when a turn was to end.
void note_stop_hooks(json::element line, const Utterance& said, Shard& shard);
/// Notes that a hook sends the agent back to work, if that is what the message says.
void note_hook_feedback(const Draft& draft, const Utterance& said, Shard& shard);

}  // namespace xtrace
