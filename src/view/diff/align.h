#pragma once

#include <vector>

#include "view/diff/run_steps.h"

namespace xtrace {

/// Which step of one run is which of the other. kNone: the other has no such step.
struct Alignment {
  static constexpr uint32_t kNone = UINT32_MAX;
  std::vector<uint32_t> of_old, of_new;  ///< by step
};

/// Aligns two runs from the top: of two steps that are one, the sequences below are put side by
/// side, and in each pair of sequences as many equal steps as there can be, in order; between them,
/// steps of the same kind that are most alike. Steps equal with all below them are found whatever
/// their place where nothing shows their order. With the runs swapped, it is the same alignment.
///
/// Sequences of more than some thousands of steps are cut at steps that both have once.
Alignment align(const RunSteps& old_run, const RunSteps& new_run);

}  // namespace xtrace
