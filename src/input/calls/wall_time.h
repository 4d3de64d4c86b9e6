#pragma once

#include <string_view>

#include "base/time.h"

namespace xtrace {

/// Reads how long a tool ran from the output that Codex gives the model: `Wall time: 1.5 seconds`
/// in the lines before the output of a command, or `"duration_seconds":1.5` after it, in earlier
/// versions. Unknown: the output does not state it.
Duration read_wall_time(std::string_view output);

}  // namespace xtrace
