#pragma once

#include <memory>
#include <optional>

#include "view/hops/hop_scene.h"

namespace xtrace {

/// What filters choose of an input, which may hold both logs of model calls and spans.
struct ShownParts {
  std::optional<Selection> calls;         ///< nothing: the input holds no call
  std::shared_ptr<const HopScene> spans;  ///< of runs that no call covers; null: there are none

  /// Both hidden sums.
  Hidden hidden() const;
};

/// A filter that fits only one of the two hides the other whole. Fails as select_calls() and
/// select_hops() do where it fits neither.
Result<ShownParts> select_parts(const Filter& filter, const Question& question);

}  // namespace xtrace
