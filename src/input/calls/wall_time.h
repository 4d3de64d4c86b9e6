#pragma once

#include <string_view>

#include "base/time.h"

namespace xtrace {

/// How long a tool ran, as Codex says in what it gives the model: `Wall time: 1.5 seconds` in the
/// lines before what a command printed, or `"duration_seconds":1.5` behind it, of earlier versions.
/// Unknown: it says nothing of that.
Duration told_wall_time(std::string_view output);

}  // namespace xtrace
