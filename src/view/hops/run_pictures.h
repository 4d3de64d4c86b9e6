#pragma once

#include <string>
#include <vector>

#include "view/hops/hop_scene.h"

namespace xtrace {

/// Pictures of runs, in order: those that look the same are one, which says of how many runs it is.
/// One with an error or a doubt stays by itself. `runs`: how many each is of.
struct RunPictures {
  std::vector<Drawing> drawings;
  std::vector<size_t> runs;

  RunPictures(std::vector<Drawing> of, Door& door);
  /// Keeps as many as fit a page, `most` at most and one at least; returns of how many runs the
  /// others are.
  size_t keep_page(size_t most, Direction direction);
};

/// `drawing` with one box for all that one actor alone calls and that calls nobody, of each kind:
/// a list of the first ones. What failed, or is in doubt, stays by itself.
Drawing list_callees(const Drawing& drawing, Door& door);

}  // namespace xtrace
