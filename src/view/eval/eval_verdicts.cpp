#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "view/common/evidence.h"
#include "view/common/field.h"
#include "view/eval/eval_report.h"
#include "view/eval/history.h"

namespace xtrace {

namespace {

/// To billionths, as money is counted: sums of decimals are not exact.
double rounded_figure(double figure) {
  return std::round(figure * 1e9) / 1e9;
}

std::optional<double> rounded(std::optional<double> score) {
  return score ? std::optional(thousandths(*score)) : std::nullopt;
}

Verdicts::Finding finding_of(const EvalReport& report, const Verdict& verdict) {
  Verdicts::Finding finding;
  for (const EvidenceRecord& one : verdict.evidence)
    finding.evidence.push_back(
        evidence_of(report.names, one.at, report.words(one.id), report.words(one.what)));
  finding.rule = Door::own(rule_of(*verdict.of));
  finding.dimension = Door::own(word(verdict.of->dimension));
  finding.status = verdict.status;
  finding.severity = verdict.status == Judged::passed   ? Verdicts::Severity::none
                     : verdict.status == Judged::failed ? Verdicts::Severity::error
                                                        : Verdicts::Severity::warning;
  if (verdict.status != Judged::insufficient) finding.score = thousandths(verdict.score);
  finding.weight = verdict.of->weight;
  finding.message = report.words(verdict.message);
  finding.expected_at = report.place(verdict.of->at);
  return finding;
}

Verdicts::Trials trials_of(const EvalReport& report, const ScenarioResult& result) {
  constexpr int64_t kMost = 8;  // as tau-bench tells it
  const PassRate& rate = result.rate;
  Verdicts::Trials trials;
  trials.each = Door::own(word(result.of->each));
  trials.words = report.words(words_of(rate));
  trials.passed = rate.passed;
  trials.failed = rate.failed;
  trials.open = rate.open;
  trials.share = rounded(rate.share());
  trials.is_flaky = rate.is_flaky();
  if (rate.judged() == 0) return trials;
  Interval interval = wilson_interval(rate.passed, rate.judged());
  trials.low = rounded(interval.low);
  trials.high = rounded(interval.high);
  for (int64_t k = 1; k <= std::min(kMost, rate.judged()); ++k)
    trials.in_a_row.push_back(thousandths(*pass_hat(rate, k)));
  return trials;
}

Verdicts::Subject subject_of(const EvalReport& report, const ScenarioResult& result) {
  Verdicts::Subject subject;
  subject.id = report.text(result.of->id);
  subject.description = report.text(result.of->description);
  subject.status = result.status;
  subject.score = rounded(result.score);
  for (const std::optional<double>& score : result.scores) subject.scores.push_back(rounded(score));
  subject.message = report.words(result.message);
  if (result.took != kNoDuration) subject.took = result.took;
  for (const std::optional<double>& figure : result.figures)
    subject.figures.push_back(figure ? std::optional(rounded_figure(*figure)) : std::nullopt);
  subject.written_at = report.place(result.of->at);
  for (const Verdict& verdict : result.verdicts)
    subject.findings.push_back(finding_of(report, verdict));
  if (result.trials.empty()) return subject;
  for (const ScenarioResult& trial : result.trials) {
    subject.trials.push_back(subject_of(report, trial));
    subject.trials.back().id = report.words(trial.trial);
  }
  subject.tried = trials_of(report, result);
  return subject;
}

std::vector<Verdicts::Change> changes_of(const EvalReport& report,
                                         const std::vector<Change>& changes) {
  std::vector<Verdicts::Change> list;
  for (const Change& change : changes) {
    Verdicts::Change& one = list.emplace_back();
    one.subject = report.text(change.scenario);
    one.what = Door::own(change.what);
    if (change.before) {
      one.before = thousandths(*change.before);
      one.now = rounded(change.now);
      one.delta = thousandths(*change.now - *change.before);
      if (change.bound != nullptr) {
        const Threshold& bound = *change.bound;
        one.before = *change.before;
        one.now = *change.now;
        one.delta = rounded_figure(*change.now - *change.before);
        one.bound = report.text(bound.text);
        one.words = report.words(fmt::format(
            "{} → {} ({}, limit {})", shown(bound.of, *change.before), shown(bound.of, *change.now),
            moved(bound, *change.before, *change.now), bound.text));
      }
    } else {
      one.now = rounded(change.now);
      one.status_before = report.text(change.status_before);
      one.status_now = Door::own(change.status_now);
    }
  }
  return list;
}

std::vector<Verdicts::Delta> deltas_of(const EvalReport& report) {
  std::vector<Verdicts::Delta> list;
  for (const FigureDelta& one : report.comparison->deltas) {
    Verdicts::Delta& delta = list.emplace_back();
    delta.subject = report.text(one.scenario);
    delta.what = Door::own(word(one.of));
    delta.before = one.before;
    delta.now = one.now;
    delta.delta = rounded_figure(one.now - one.before);
    if (one.before > 0) delta.share = thousandths((one.now - one.before) / one.before);
    Threshold as_share{one.of, 0, true, false, {}};
    std::string by =
        one.now == one.before ? "" : fmt::format(" ({})", moved(as_share, one.before, one.now));
    delta.words = report.words(fmt::format("{} {} → {}{}", word(one.of), shown(one.of, one.before),
                                           shown(one.of, one.now), by));
  }
  return list;
}

std::vector<Verdicts::Undecided> undecided_of(const EvalReport& report) {
  std::vector<Verdicts::Undecided> list;
  for (const auto& [scenario, bound] : report.comparison->unknown)
    list.push_back({report.text(scenario), Door::own(word(bound->of)), report.text(bound->text)});
  return list;
}

/// What a run came to: means of scores, sums of figures of which all scenarios tell.
template <class Scenarios, class Passed>
Verdicts::Run run_of(const Scenarios& scenarios, Passed passed) {
  Verdicts::Run run;
  run.scenarios = static_cast<int64_t>(scenarios.size());
  run.figures.assign(kFigures, 0);
  double sum = 0, known = 0;
  for (const auto& one : scenarios) {
    run.passed += passed(one);
    if (one.score) sum += *one.score, ++known;
    for (size_t i = 0; i < kFigures; ++i)
      run.figures[i] = run.figures[i] && one.figures[i]
                           ? std::optional(rounded_figure(*run.figures[i] + *one.figures[i]))
                           : std::nullopt;
  }
  if (known > 0) run.score = thousandths(sum / known);
  return run;
}

void add_history(const EvalReport& report, Verdicts& verdicts) {
  const std::vector<Baseline> history =
      runs_before(*report.history, verdicts.digest, verdicts.newest);
  for (const Baseline& one : history) {
    Verdicts::Run& run = verdicts.history.emplace_back(
        run_of(one.scenarios, [](const auto& of) { return of.status == word(Judged::passed); }));
    run.id = report.text(one.id);
    run.newest = report.text(one.newest);
  }
  Verdicts::Run& now = verdicts.history.emplace_back(
      run_of(report.results, [](const auto& of) { return of.status == Judged::passed; }));
  now.id = "now";
  now.newest = report.text(verdicts.newest);
  for (const FirstBad& one : first_bad_runs(report.results, history))
    verdicts.first_bad.push_back({report.text(one.scenario), report.text(one.run),
                                  report.text(one.run.empty() ? verdicts.newest : one.newest)});
}

Texts texts_of(const EvalReport& report, const std::vector<std::string>& ids) {
  Texts texts;
  for (const std::string& id : ids) texts.push_back(report.text(id));
  return texts;
}

}  // namespace

std::shared_ptr<const Verdicts> verdicts_of(const EvalReport& report) {
  auto verdicts = std::make_shared<Verdicts>();
  verdicts->kind = "scenario";
  verdicts->suite = report.text(report.suite.name);
  verdicts->dimensions = kDimensionWords;
  verdicts->metrics = kThresholdWords;
  verdicts->rules.push_back({"scenario", "scenario with insufficient evidence"});
  for (std::string_view metric : kThresholdWords)
    verdicts->rules.push_back({Door::own(metric), "change of a run against the baseline"});
  for (const RuleWords& rule : eval_rules()) {
    Verdicts::Rule& one = verdicts->rules.emplace_back();
    one.name = Door::own(rule.name);
    one.summary = Door::own(rule.summary);
    if (!rule.risk.empty()) one.tags.push_back(Door::own(rule.risk));
  }
  for (const ScenarioResult& result : report.results)
    verdicts->subjects.push_back(subject_of(report, result));
  if (report.keeps_verdicts || report.history != nullptr) {
    verdicts->digest = digest_of(report.suite, report.question.graph, report.names);
    verdicts->newest = newest_of(report.question.graph);
  }
  if (report.history != nullptr) add_history(report, *verdicts);
  if (report.comparison)
    verdicts->comparison = {.baseline = report.text(report.baseline->id),
                            .regressions = changes_of(report, report.comparison->regressions),
                            .improvements = changes_of(report, report.comparison->improvements),
                            .deltas = deltas_of(report),
                            .undecided = undecided_of(report),
                            .added = texts_of(report, report.comparison->added),
                            .missing = texts_of(report, report.comparison->missing)};
  return verdicts;
}

}  // namespace xtrace
