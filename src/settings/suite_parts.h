#pragma once

#include "settings/suite_words.h"

namespace xtrace {

// The parts of a suite that files of their own read.

/// `tools`: which ones, in which order.
Status read_tools(const SuiteWords& words, const Setting& from, Scenario& scenario);
Status read_forbidden(const SuiteWords& words, const Setting& from, Scenario& scenario);
/// `preceded`, `confirm`, `declared_arguments`.
Status read_habits(const SuiteWords& words, const Setting& from, Scenario& scenario);

/// `claims`: whether tool results have to show them.
Status read_claims(const SuiteWords& words, const Setting& scenario, Scenario& into);
/// `decision`: what has to be decided, and on what grounds.
Status read_decisions(const SuiteWords& words, const Setting& scenario, Scenario& into);

/// Returns true for an evaluation set of Google's Agent Development Kit, which agentevals reads
/// too.
bool is_eval_set(const Setting& root);
/// Reads an evaluation set: for each case, the tools that its turns are to use, in exactly that
/// order and with these arguments. Answers are not compared, because two good ones seldom have the
/// same words.
Result<Suite> suite_of_eval_set(const SuiteWords& words, const Setting& root);

}  // namespace xtrace
