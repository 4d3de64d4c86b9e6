#pragma once

#include <string>

#include "view/hops/hop_scene.h"

namespace xtrace {

/// Why was a model called: each link that leads there, with the chain of calls behind it.
Document explain_call(const HopScene& scene, CallId call);

}  // namespace xtrace
