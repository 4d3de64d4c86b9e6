#pragma once

#include <string_view>

#include "view/hops/hop_scene.h"
#include "view/why/listing.h"

namespace xtrace {

/// Why was a model called, each link that leads there with the chain of calls behind it, and what
/// came of it. `asked`: the name it was asked for by, which the question repeats; empty where that
/// is its id.
Document explain_call(const HopScene& scene, CallId call, std::string_view asked,
                      const Listing& listing);

}  // namespace xtrace
