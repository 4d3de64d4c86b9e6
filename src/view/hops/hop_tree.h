#pragma once

#include "view/hops/hop_scene.h"

namespace xtrace {

/// Runs, and in each the hops below what caused them.
Outline hop_tree(const HopScene& scene, bool unfold);

}  // namespace xtrace
