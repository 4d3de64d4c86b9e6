#pragma once

#include <string_view>

#include "view/hops/hop_scene.h"

namespace xtrace {

/// `Why did turn 2 (req-4) start?`, `Why was call req-4 made?`: in the words in which it was asked,
/// of the call that they mean.
Text words_of_question(const HopScene& scene, CallId call, std::string_view asked);

}  // namespace xtrace
