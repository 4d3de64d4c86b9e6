#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "doc/verdicts.h"
#include "view/common/names.h"
#include "view/eval/scenario_result.h"

namespace xtrace {

/// Everything that the answer of an evaluation is made from.
struct EvalReport {
  const Question& question;
  const Names& names;
  const Suite& suite;
  std::vector<ScenarioResult> results;
  std::optional<Comparison> comparison;
  const Baseline* baseline;  ///< null: there is none
  bool accepts_insufficient = false;
  bool keeps_verdicts = false;                     ///< also where the answer is text
  const std::vector<Baseline>* history = nullptr;  ///< in order of time; null: nobody asked for it
  std::vector<std::string> warnings;               ///< of the suite itself; have passed the Door

  int64_t count(Judged status) const;
  /// Is the answer yes?
  bool passes() const;
  /// The mean of what is known of a dimension.
  std::optional<double> mean_of(size_t dimension) const;
  Text text(std::string_view own) const { return question.door.name_once(std::string(own)); }
  /// Words that were put together of what has passed.
  Text words(const std::string& passed) const { return question.door.composed(passed); }
  Text place(const SuitePlace& at) const;
};

/// All of it by its fields, as it has passed the Door.
std::shared_ptr<const Verdicts> verdicts_of(const EvalReport& report);

/// With `summary`, `scenarios` and `regression_analysis`, or as text.
Document report_of(const EvalReport& report);
Shape shape_of_report();

/// For people.
Outline outline_of(const EvalReport& report);

}  // namespace xtrace
