#pragma once

#include <deque>
#include <string>
#include <vector>

#include "settings/instruction_rules.h"
#include "view/eval/judge.h"

namespace xtrace {

/// A scenario, in YAML with comments, of the rules of an instruction file that a log can decide,
/// each with its sentence and what became of it in these runs: observed, violated, never tried, or
/// not recorded. Rules that no log decides are listed by their places. The reader confirms what
/// each sentence was taken to mean. All of it has passed the Door.
std::vector<std::string> write_rule_scenario(const Question& question, const Names& names,
                                             const std::deque<AgentActions>& runs,
                                             const InstructionRules& rules);

}  // namespace xtrace
