#pragma once

#include <optional>
#include <string>

#include "settings/instruction_rules.h"
#include "settings/suite.h"
#include "view/common/view.h"

namespace xtrace {

/// What may be set for an evaluation, beside its suite.
struct EvalOptions {
  std::string scores, baseline;      ///< files
  std::string save_baseline;         ///< `ID=FILE`
  std::string history;               ///< folder
  std::vector<std::string> fail_if;  ///< `cost=+20%`
  bool accepts_insufficient = false;
  bool is_draft = false;   ///< a suite is to be written, and nothing judged
  std::string rules;       ///< file of instructions for agents, for that suite
  bool is_strict = false;  ///< about names of tools in the suite
};

/// Did agents behave as a suite (settings/suite.h) expects?
class Eval final : public View {
 public:
  void declare(Options& options) override;
  /// Reads what there is to judge, and what to compare that with.
  Status prepare(Preparation& given) override;
  Result<Document> answer(const Question& question) const override;
  BaselineToSave baseline_to_save() const override;
  /// What prepare() reads.
  void judge_by(Suite suite, std::optional<Baseline> baseline) {
    suite_ = std::move(suite);
    baseline_ = std::move(baseline);
  }

 private:
  EvalOptions options_;
  Suite suite_;
  InstructionRules rules_;
  std::optional<Baseline> baseline_;
  std::vector<Baseline> history_;
};

// What of its answer other parts of the program look up.
inline constexpr std::string_view kSummary = "summary", kScenarios = "scenarios";

}  // namespace xtrace
