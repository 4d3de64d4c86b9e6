#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "link/replay/changes.h"
#include "view/common/view.h"

namespace xtrace {

struct WhatIf;

/// The options that change a run, as typed.
struct ChangeOptions {
  std::vector<std::string> remove, speed, price;
  bool no_retries = false, no_waiting = false, parallel = false, cache = false;

  void declare(Options& options);
};

/// What they mean, without regard to an input. Exit::usage for what means nothing.
Result<std::vector<ReplayChange>> read_changes(const ChangeOptions& options);

/// Finds the nodes that they name, and counts what each changes. Exit::no for a name that nothing
/// has.
Status find_names(WhatIf& what);

}  // namespace xtrace
