#pragma once

#include <vector>

#include "facts/payloads.h"
#include "view/common/view.h"

namespace xtrace {

/// The answer of a call, or what was said between the answer before it and the call, as messages in
/// the words of OpenTelemetry; without thoughts.
Cell quoted_messages(const std::vector<Quote>& quotes, bool is_answer, Door& door,
                     CellArena& arena);

}  // namespace xtrace
