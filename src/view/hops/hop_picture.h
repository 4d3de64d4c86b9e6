#pragma once

#include "view/hops/hop_scene.h"

namespace xtrace {

/// Spans as boxes, each below what led to it. For eyes it folds until it fits a page: no more than
/// needed, and never an error away. For databases, or to `unfold`, it has a box for each.
Drawing hop_picture(const HopScene& scene, bool unfold, CellArena& arena);

}  // namespace xtrace
