#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "settings/suite.h"

namespace xtrace {

/// What a rule forbids or demands: a command that is run, or a file that is changed.
struct InstructedAct {
  enum class On : uint8_t { command, file };
  On on = On::command;
  std::string pattern;  ///< in RE2's words: of the command, or of the path
  /// Of a command, its program and what it does (`git push`): a run of it shows that the rule could
  /// have been broken. Empty for files: any change of a file does.
  std::string topic{};
};

/// A rule of AGENTS.md, CLAUDE.md and the like that a log can show to be kept or broken: `Never
/// push to main`, `Run the tests before you commit`, `Do not edit generated files`, `Use pnpm, not
/// npm`.
struct InstructionRule {
  SuitePlace at;
  std::string text;                    ///< the sentence, in one line
  std::vector<InstructedAct> acts;     ///< forbidden, or to come after one of `first`
  std::vector<InstructedAct> first{};  ///< empty: `acts` are forbidden
  /// To be used in place of `acts`: its use keeps the rule.
  std::vector<InstructedAct> instead{};
};

struct InstructionRules {
  std::vector<InstructionRule> rules;
  /// Sentences that say never, always, must and the like, and that no form here fits.
  std::vector<SuitePlace> undecided;
};

/// Reads Markdown: sentences in English, outside blocks of code. `path` is for places.
InstructionRules find_instruction_rules(const std::string& path, std::string_view markdown);

/// The same of a file. Errors have Exit::usage.
Result<InstructionRules> read_instruction_rules(const std::string& path);

}  // namespace xtrace
