#pragma once

#include "settings/suite_words.h"

namespace xtrace {

/// Reads what a scenario says under `decision`: what has to be decided, and on what grounds.
Status read_decisions(const SuiteWords& words, const Setting& scenario, Scenario& into);

}  // namespace xtrace
