#pragma once

#include <string>
#include <vector>

#include "settings/instruction_rules.h"
#include "view/common/names.h"
#include "view/common/view.h"

namespace xtrace {

/// A suite, in YAML with comments, of what the sessions of an input have in common: one scenario
/// for any session, with the tools that all used, the order that held in all, and limits with room
/// above the largest. All of them pass it, as each expectation is judged before it is written. At
/// Level::full with the arguments that never differed; those that the Door does not let through as
/// they are become comments. A line each, all of which have passed the Door.
/// `rules`: of an instruction file, as a scenario of its own; it may fail.
std::vector<Text> suite_draft(const Question& question, const Names& names,
                              const InstructionRules& rules);

}  // namespace xtrace
