#pragma once

#include "settings/suite_words.h"

namespace xtrace {

// What a scenario says of tools: `tools`, `forbidden`, and how they are used.

Status read_tools(const SuiteWords& words, const Setting& from, Scenario& scenario);
Status read_forbidden(const SuiteWords& words, const Setting& from, Scenario& scenario);
/// `preceded`, `confirm`, `declared_arguments`.
Status read_habits(const SuiteWords& words, const Setting& from, Scenario& scenario);

}  // namespace xtrace
