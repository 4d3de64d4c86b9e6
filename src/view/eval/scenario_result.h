#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "view/eval/figures.h"
#include "view/eval/judge.h"
#include "view/eval/pass_rate.h"

namespace xtrace {

using KnownScores = std::array<std::optional<double>, kDimensions>;

/// What became of a scenario.
struct ScenarioResult {
  const Scenario* of = nullptr;
  Judged status = Judged::passed;
  std::string message;          ///< in a sentence; has passed the Door
  std::optional<double> score;  ///< of all dimensions, by their weights; nothing: none is known
  KnownScores scores;           ///< of what could be judged
  std::vector<Verdict> verdicts;
  Duration took = kNoDuration;
  Figures figures{};  ///< of trials, their mean

  // Where the scenario was tried on each of several parts of the input:
  std::vector<ScenarioResult> trials{};
  std::string trial{};  ///< of one of these: what part it is of; has passed the Door
  PassRate rate{};
};

/// Scores and status of verdicts. What could not be judged may be right or wrong: where either
/// changes the status, that is insufficient evidence.
void weigh(ScenarioResult& result);

/// What trials come to together: it passes where enough of them do, and is open where those that
/// could not be judged decide that. Its scores are the means of theirs.
void combine(ScenarioResult& result);

/// A score, a status or a figure that is not what it was.
struct Change {
  std::string scenario;
  std::string_view what;  ///< a dimension, `score`, `status`, or a metric
  std::optional<double> before, now;
  std::string status_before;
  std::string_view status_now;
  const Threshold* bound = nullptr;  ///< of a figure, the one that it broke
};

/// A figure of which the baseline and these runs tell.
struct FigureDelta {
  std::string scenario;
  Threshold::Of of = Threshold::Of::cost;
  double before = 0, now = 0;
};

/// Results beside those of a baseline. A drop of more than kRegression is a regression, and so is
/// what passed and does not any more, and a figure beyond its bound.
struct Comparison {
  std::vector<Change> regressions, improvements;
  std::vector<FigureDelta> deltas;
  std::vector<std::pair<std::string, const Threshold*>> unknown;  ///< scenarios, and their bounds
                                                                  ///< of figures not on record
  std::vector<std::string> added, missing;                        ///< scenarios
};
Comparison compare(const std::vector<ScenarioResult>& results, const Baseline& baseline);

}  // namespace xtrace
