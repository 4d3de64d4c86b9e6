#pragma once

#include <string>

#include "view/hops/hop_scene.h"

namespace xtrace {

/// Why was a model called, each link that leads there with the chain of calls behind it, and what
/// came of it. `unfold`: every call of a long chain is shown.
Document explain_call(const HopScene& scene, CallId call, bool unfold);

}  // namespace xtrace
