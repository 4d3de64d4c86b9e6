#pragma once

#include <vector>

#include "link/activities/time_account.h"

namespace xtrace {

/// What went on before a call while no model was at work.
struct Waited {
  Duration length{0};
  PathPart part = PathPart::unexplained;  ///< what most of it went to
};

/// By call, as far as nothing else was under way when it began.
std::vector<Waited> waits_before_calls(const TimeAccount& account, size_t calls);

}  // namespace xtrace
