#pragma once

#include "settings/suite_words.h"

namespace xtrace {

/// Is it an evaluation set of Google's Agent Development Kit, as agentevals takes it too?
bool is_eval_set(const Setting& root);

/// Reads one: of each case, the tools that its turns are to use, in exactly that order and with
/// these arguments. Answers are not compared: two good ones seldom have the same words.
Result<Suite> suite_of_eval_set(const SuiteWords& words, const Setting& root);

}  // namespace xtrace
