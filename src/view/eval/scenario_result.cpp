#include "view/eval/scenario_result.h"

#include <algorithm>

namespace xtrace {

namespace {

/// Weighted sums of what is known, and of the least and the most that it may come to.
struct Mean {
  double known = 0, weight = 0, least = 0, most = 0, all = 0;

  void add(double score, double by, bool is_known) {
    all += by;
    most += by * (is_known ? score : 1);
    if (!is_known) return;
    least += by * score;
    known += by * score;
    weight += by;
  }
  std::optional<double> score() const {
    return weight > 0 ? std::optional(known / weight) : std::nullopt;
  }
};

/// A mean of decimal weights misses its mark by rounding alone: 0.1 + 0.2 is not 0.3.
constexpr double kClose = 1e-9;

}  // namespace

/// What is not on record may have gone well or badly. So each mean has bounds: `most`, if all that
/// is unknown went well, and `least`. A scenario fails where even the most misses a mark, passes
/// where even the least reaches it, and is open between. The score that is shown is of what is
/// known.
void weigh(ScenarioResult& result) {
  const Scenario& scenario = *result.of;
  std::array<Mean, kDimensions> shown, means;
  bool must_fail = false;
  for (const Verdict& verdict : result.verdicts) {
    size_t dimension = static_cast<size_t>(verdict.of->dimension);
    bool is_known = verdict.status != Judged::insufficient;
    shown[dimension].add(verdict.score, verdict.of->weight, is_known);
    // A mark that was reached is reached, though there may be more to be had.
    means[dimension].add(verdict.status == Judged::passed ? 1 : verdict.score, verdict.of->weight,
                         is_known);
    must_fail |= verdict.of->is_must && verdict.status == Judged::failed;
  }
  Mean overall, overall_shown;
  bool fails = must_fail, is_open = false;
  auto weigh_against = [&](const Mean& mean, double mark) {
    if (mean.all <= 0) return;
    fails |= mean.most / mean.all < mark - kClose;
    is_open |= mean.least / mean.all < mark - kClose;
  };
  for (size_t i = 0; i < kDimensions; ++i) {
    if (means[i].all <= 0) continue;
    result.scores[i] = shown[i].score();
    overall_shown.add(result.scores[i].value_or(0), scenario.weights[i],
                      result.scores[i].has_value());
    overall.all += scenario.weights[i];
    overall.least += scenario.weights[i] * means[i].least / means[i].all;
    overall.most += scenario.weights[i] * means[i].most / means[i].all;
    weigh_against(means[i], scenario.marks[i]);
  }
  for (const Verdict& verdict : result.verdicts)
    is_open |= verdict.of->is_must && verdict.status == Judged::insufficient;
  weigh_against(overall, scenario.mark);
  result.score = overall_shown.score();
  result.status = fails ? Judged::failed : is_open ? Judged::insufficient : Judged::passed;
}

void combine(ScenarioResult& result) {
  std::array<Mean, kDimensions> scores;
  Mean overall;
  std::vector<Figures> figures;
  for (const ScenarioResult& trial : result.trials) {
    result.rate.passed += trial.status == Judged::passed;
    result.rate.failed += trial.status == Judged::failed;
    result.rate.open += trial.status == Judged::insufficient;
    for (size_t i = 0; i < kDimensions; ++i)
      scores[i].add(trial.scores[i].value_or(0), 1, trial.scores[i].has_value());
    overall.add(trial.score.value_or(0), 1, trial.score.has_value());
    figures.push_back(trial.figures);
    if (trial.took != kNoDuration) result.took = sum_of_known(result.took, trial.took);
  }
  result.figures = mean_of(figures);
  result.score = overall.score();
  for (size_t i = 0; i < kDimensions; ++i) result.scores[i] = scores[i].score();
  double trials = static_cast<double>(result.rate.trials());
  double least = static_cast<double>(result.rate.passed) / trials;
  double most = static_cast<double>(result.rate.passed + result.rate.open) / trials;
  result.status = least >= result.of->pass_rate - kClose ? Judged::passed
                  : most < result.of->pass_rate - kClose ? Judged::failed
                                                         : Judged::insufficient;
}

namespace {

class BaselineComparer {
 public:
  BaselineComparer(const ScenarioResult& now, const BaselineScenario& before, Comparison& into)
      : now_(now), before_(before), into_(into) {}

  void compare() {
    bool passes = now_.status == Judged::passed, passed = before_.status == word(Judged::passed);
    if (passes != passed) add(passes, "status", {}, {});
    compare_scores("score", before_.score, now_.score);
    for (size_t i = 0; i < kDimensions; ++i)
      compare_scores(kDimensionWords[i], before_.scores[i], now_.scores[i]);
    compare_figures();
  }

 private:
  void compare_figures() {
    for (size_t i = 0; i < kFigures; ++i)
      if (before_.figures[i] && now_.figures[i])
        into_.deltas.push_back(
            {now_.of->id, static_cast<Threshold::Of>(i), *before_.figures[i], *now_.figures[i]});
    for (const Threshold& bound : now_.of->fail_if) {
      size_t of = static_cast<size_t>(bound.of);
      std::optional<bool> broken = is_beyond(bound, before_.figures[of], now_.figures[of]);
      if (!broken) into_.unknown.emplace_back(now_.of->id, &bound);
      if (!broken.value_or(false)) continue;
      add(false, word(bound.of), before_.figures[of], now_.figures[of]);
      into_.regressions.back().bound = &bound;
    }
  }

  void compare_scores(std::string_view what, std::optional<double> before,
                      std::optional<double> now) {
    if (!before || !now) return;
    if (*before - *now > kRegression + kClose) add(false, what, before, now);
    if (*now - *before > kRegression + kClose) add(true, what, before, now);
  }
  void add(bool better, std::string_view what, std::optional<double> before,
           std::optional<double> now) {
    (better ? into_.improvements : into_.regressions)
        .push_back({now_.of->id, what, before, now, before_.status, word(now_.status), nullptr});
  }

  const ScenarioResult& now_;
  const BaselineScenario& before_;
  Comparison& into_;
};

}  // namespace

Comparison compare(const std::vector<ScenarioResult>& results, const Baseline& baseline) {
  Comparison comparison;
  for (const ScenarioResult& result : results) {
    auto before =
        std::find_if(baseline.scenarios.begin(), baseline.scenarios.end(),
                     [&](const BaselineScenario& one) { return one.id == result.of->id; });
    if (before == baseline.scenarios.end())
      comparison.added.push_back(result.of->id);
    else
      BaselineComparer(result, *before, comparison).compare();
  }
  for (const BaselineScenario& before : baseline.scenarios)
    if (std::none_of(results.begin(), results.end(),
                     [&](const ScenarioResult& one) { return one.of->id == before.id; }))
      comparison.missing.push_back(before.id);
  return comparison;
}

}  // namespace xtrace
