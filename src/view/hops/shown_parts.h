#pragma once

#include <memory>
#include <optional>

#include "view/hops/hop_scene.h"

namespace xtrace {

/// The parts of an input with logs of model calls, spans or both that filters select.
struct ShownParts {
  std::optional<Selection> calls;         ///< nothing: the input contains no call
  std::shared_ptr<const HopScene> spans;  ///< null: there are none
};

enum class CoveredRuns : uint8_t { leave_out, include };

/// Selects calls and spans. Runs of spans that calls cover would count twice (`leave_out`). A
/// filter that matches only calls or only spans hides all of the others. Fails like select_calls()
/// and select_hops() if it matches neither.
Result<ShownParts> select_parts(const Filter& filter, const Question& question,
                                CoveredRuns covered = CoveredRuns::leave_out);

}  // namespace xtrace
