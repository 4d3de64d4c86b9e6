#pragma once

#include "input/common/json.h"

namespace xtrace {

// What Codex wrote until September 2025: items of the Responses API as they are, without the
// envelope of later rollouts (codex.cpp).
//
//   {"id", "timestamp", "instructions", "git"}    opens a file
//   {"record_type": "state"}                      says nothing
//   {"type": "message"|"function_call"|…}         an item
//
// Its predecessor in TypeScript wrote one document, {"session": {"id", "timestamp"}, "items": […]}.

/// Does it open such a file?
bool opens_bare_rollout(json::element record);
/// Is it such an item? It may be one of any log of that API: what opens the file tells whose it is.
bool is_bare_item(json::element record);
/// Is it what the predecessor wrote?
bool is_bare_document(json::element record);
/// Is it any line of these?
bool fits_bare_rollout(json::element record);

}  // namespace xtrace
