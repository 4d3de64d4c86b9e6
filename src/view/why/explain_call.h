#pragma once

#include <string>

#include "view/hops/hop_scene.h"

namespace xtrace {

/// The model call of that id, or the only one that stands at that place; nowhere: none.
CallId find_call(const HopScene& scene, const std::string& name);

/// The call that asked for the tool use of that id; nowhere: none.
CallId find_asking_call(const HopScene& scene, const std::string& tool_use);

/// Why was a model called: each link that leads there, with the chain of calls behind it.
Document explain_call(const HopScene& scene, CallId call);

}  // namespace xtrace
