#include "view/eval/eval_report.h"

#include <fmt/format.h>

#include "view/common/evidence.h"
#include "view/common/field.h"
#include "view/common/preface.h"
#include "view/eval/eval.h"

namespace xtrace {

namespace {

constexpr Column kVerdict[] = {
    {"rule", "kind of expectation", CellKind::text, true},
    {"dimension", "", CellKind::text, true},
    {"status", "passed, failed or insufficient_evidence", CellKind::text, true},
    {"score", "0 to 1; absent if there is insufficient evidence", CellKind::number},
    {"weight", "weight within its dimension", CellKind::number, true},
    {"message", "what was found and what was expected", CellKind::text, true},
    {"expected_at", "location in the suite", CellKind::text, true},
    {"evidence", "evidence for the decision, causes first", CellKind::rows, false, kEvidence},
};
constexpr Column kInARow[] = {
    {"k", "number of trials in a row", CellKind::integer, true},
    {"chance", "probability that all k pass: C(passed, k) / C(passed + failed, k)",
     CellKind::number, true},
};
constexpr Column kTrial[] = {
    {"trial", "the session, run, query or file", CellKind::text, true},
    {"status", "passed, failed or insufficient_evidence", CellKind::text, true},
    {"score", "weighted mean of its dimensions", CellKind::number},
    {"message", "reason why xtrace could not judge the run", CellKind::text},
    {"duration_ms", "from its first start to its last end", CellKind::milliseconds},
    {"verdicts", "result of each expectation", CellKind::rows, true, kVerdict},
};
constexpr Column kScenario[] = {
    {"id", "", CellKind::text, true},
    {"description", "", CellKind::text},
    {"status", "passed, failed or insufficient_evidence", CellKind::text, true},
    {"score", "weighted mean of its dimensions", CellKind::number},
    {"scores.tool_usage", "score of the checks that could be judged, 0 to 1", CellKind::number},
    {"scores.decision_quality", "score of the checks that could be judged, 0 to 1",
     CellKind::number},
    {"scores.error_handling", "score of the checks that could be judged, 0 to 1", CellKind::number},
    {"scores.limits", "score of the checks that could be judged, 0 to 1", CellKind::number},
    {"message", "reason why xtrace could not judge the run", CellKind::text},
    {"duration_ms", "from its first start to its last end; with trials, of all trials together",
     CellKind::milliseconds},
    {"figures.cost_usd", "dollars spent; with trials, the mean (as for all figures below)",
     CellKind::number},
    {"figures.calls", "model calls", CellKind::number},
    {"figures.tokens", "", CellKind::number},
    {"figures.duration_s", "duration in seconds", CellKind::number},
    {"figures.errors", "errors of models and tools", CellKind::number},
    {"written_at", "location of the scenario in the suite", CellKind::text, true},
    {"verdicts", "result of each expectation; if there are trials, each trial lists its own",
     CellKind::rows, true, kVerdict},
    {"trials.each", "unit of a trial: session, run, query or file", CellKind::text},
    {"trials.passed", "trials that passed", CellKind::integer},
    {"trials.failed", "trials that failed", CellKind::integer},
    {"trials.insufficient_evidence",
     "number of trials that could not be judged; not included in any rate", CellKind::integer},
    {"trials.pass_rate", "share of passed trials among those judged", CellKind::number},
    {"trials.pass_rate_low", "lower end of the 95% confidence interval (Wilson)", CellKind::number},
    {"trials.pass_rate_high", "upper end of the 95% confidence interval (Wilson)",
     CellKind::number},
    {"trials.flaky", "true if some trials passed and some failed", CellKind::boolean},
    {"trials.pass_hat", "pass^k, as defined by tau-bench", CellKind::rows, false, kInARow},
    {"trials.list", "the trials", CellKind::rows, false, kTrial},
};
constexpr Column kRun[] = {
    {"id", "name given with --save-baseline; `now` is the current evaluation", CellKind::text,
     true},
    {"newest", "when its latest run ended", CellKind::text},
    {"passed", "number of scenarios that passed", CellKind::integer, true},
    {"total_scenarios", "", CellKind::integer, true},
    {"score", "mean of the known scores", CellKind::number},
    {"cost_usd", "cost of all scenarios; the figures below are totals too", CellKind::number},
    {"calls", "", CellKind::number},
    {"tokens", "", CellKind::number},
    {"duration_s", "", CellKind::number},
    {"errors", "", CellKind::number},
};
constexpr Column kFirstBad[] = {
    {"id", "id of the scenario", CellKind::text, true},
    {"run", "run since which it has not passed; absent: the current run", CellKind::text},
    {"newest", "when the latest run of that evaluation ended", CellKind::text},
};
constexpr Column kHistory[] = {
    {"runs", "stored evaluations in order of time, then the current one", CellKind::rows, false,
     kRun},
    {"first_bad", "scenarios that do not pass, each with the run since which it has not passed",
     CellKind::rows, false, kFirstBad},
};
constexpr Column kSuite[] = {
    {"suite", "name of the suite", CellKind::text, true},
    {"suite_warnings",
     "parts of the suite that cannot be judged, or that name tools not found in any run or request",
     CellKind::texts},
};
constexpr Column kSummaryColumns[] = {
    {"passes", "true if nothing failed, nothing regressed and everything could be judged",
     CellKind::boolean, true},
    {"pass_rate", "share of scenarios that passed", CellKind::number, true},
    {"total_scenarios", "", CellKind::integer, true},
    {"passed", "", CellKind::integer, true},
    {"failed", "", CellKind::integer, true},
    {"insufficient_evidence", "scenarios that could not be judged", CellKind::integer, true},
    {"flaky_scenarios", "scenarios with both passed and failed trials", CellKind::texts},
    {"avg_scores.tool_usage", "mean over the scenarios for which it is known", CellKind::number},
    {"avg_scores.decision_quality", "mean over the scenarios for which it is known",
     CellKind::number},
    {"avg_scores.error_handling", "mean over the scenarios for which it is known",
     CellKind::number},
    {"avg_scores.limits", "mean over the scenarios for which it is known", CellKind::number},
};
constexpr Column kChange[] = {
    {"id", "id of the scenario", CellKind::text, true},
    {"what", "status, score, or a dimension", CellKind::text, true},
    {"before", "", CellKind::number},
    {"now", "", CellKind::number},
    {"delta", "", CellKind::number},
    {"status_before", "", CellKind::text},
    {"status_now", "", CellKind::text},
    {"bound", "limit in fail_if, for figures", CellKind::text},
};
constexpr Column kDelta[] = {
    {"id", "id of the scenario", CellKind::text, true},
    {"what", "cost (dollars), calls, tokens, duration (seconds) or errors", CellKind::text, true},
    {"before", "value in the baseline; with trials, their mean", CellKind::number, true},
    {"now", "current value; with trials, their mean", CellKind::number, true},
    {"delta", "", CellKind::number, true},
    {"share", "change as a share of `before`; absent if `before` is 0", CellKind::number},
};
constexpr Column kUnknownBound[] = {
    {"id", "id of the scenario", CellKind::text, true},
    {"what", "the figure that is not recorded", CellKind::text, true},
    {"bound", "limit in fail_if", CellKind::text, true},
};
constexpr Column kRegressions[] = {
    {"baseline", "id of the baseline", CellKind::text},
    {"regressions", "scores that dropped by more than 0.05, and scenarios that no longer pass",
     CellKind::rows, false, kChange},
    {"improvements", "scores that rose by more than 0.05, and scenarios that now pass",
     CellKind::rows, false, kChange},
    {"deltas", "figures of the runs compared with the baseline", CellKind::rows, false, kDelta},
    {"undecided", "limits on figures that are not recorded on both sides", CellKind::rows, false,
     kUnknownBound},
    {"new_scenarios", "scenarios that the baseline does not contain", CellKind::texts},
    {"missing_scenarios", "scenarios that only the baseline contains", CellKind::texts},
};

Cell score(std::optional<double> known) {
  return known ? Cell(thousandths(*known)) : Cell();
}

Cell cell(std::optional<double> known) {
  return known ? Cell(*known) : Cell();
}

class EvalTables {
 public:
  EvalTables(const EvalReport& report, const Verdicts& verdicts, Document& document)
      : report_(report), verdicts_(verdicts), document_(document) {}

  void add() {
    double total = static_cast<double>(report_.results.size());
    int64_t passed = report_.count(Judged::passed);
    Texts warnings;
    for (const std::string& one : report_.warnings) warnings.push_back(report_.words(one));
    document_.add(
        Record{{{}, kSuite, {verdicts_.suite, some(std::move(warnings), document_.arena())}}});
    document_.add(Record{
        {kSummary,
         kSummaryColumns,
         {report_.passes(), thousandths(static_cast<double>(passed) / total),
          static_cast<int64_t>(report_.results.size()), passed, report_.count(Judged::failed),
          report_.count(Judged::insufficient), some(flaky(), document_.arena()),
          score(report_.mean_of(0)), score(report_.mean_of(1)), score(report_.mean_of(2)),
          score(report_.mean_of(3))}}});
    Table scenarios{kScenarios, kScenario};
    for (const Verdicts::Subject& one : verdicts_.subjects) {
      const std::optional<Verdicts::Trials>& tried = one.tried;
      auto of = [&](auto cell_of) { return tried ? Cell(cell_of(*tried)) : Cell(); };
      scenarios.add(
          {one.id,
           known(one.description),
           Door::own(word(one.status)),
           cell(one.score),
           cell(one.scores[0]),
           cell(one.scores[1]),
           cell(one.scores[2]),
           cell(one.scores[3]),
           known(one.message),
           took(one),
           cell(one.figures[0]),
           cell(one.figures[1]),
           cell(one.figures[2]),
           cell(one.figures[3]),
           cell(one.figures[4]),
           one.written_at,
           document_.arena().keep(findings_of(one)),
           of([](const auto& it) { return Cell(it.each); }),
           of([](const auto& it) { return Cell(it.passed); }),
           of([](const auto& it) { return Cell(it.failed); }),
           of([](const auto& it) { return Cell(it.open); }),
           of([](const auto& it) { return cell(it.share); }),
           of([](const auto& it) { return cell(it.low); }),
           of([](const auto& it) { return cell(it.high); }),
           of([](const auto& it) { return Cell(it.is_flaky); }),
           of([&](const auto& it) { return Cell(document_.arena().keep(in_a_row(it))); }),
           of([&](const auto&) { return Cell(document_.arena().keep(trials_of(one))); })});
    }
    document_.add(std::move(scenarios));
    document_.add(regressions());
    document_.add(history());
  }

 private:
  static Cell took(const Verdicts::Subject& one) { return one.took ? Cell(*one.took) : Cell(); }

  Texts flaky() const {
    Texts names;
    for (const Verdicts::Subject& one : verdicts_.subjects)
      if (one.tried && one.tried->is_flaky) names.push_back(one.id);
    return names;
  }

  static Table in_a_row(const Verdicts::Trials& tried) {
    Table table{{}, kInARow};
    for (size_t i = 0; i < tried.in_a_row.size(); ++i)
      table.add({static_cast<int64_t>(i + 1), tried.in_a_row[i]});
    return table;
  }

  Table trials_of(const Verdicts::Subject& scenario) {
    Table table{{}, kTrial};
    for (const Verdicts::Subject& one : scenario.trials)
      table.add({one.id, Door::own(word(one.status)), cell(one.score), known(one.message),
                 took(one), document_.arena().keep(findings_of(one))});
    return table;
  }

  Table findings_of(const Verdicts::Subject& scenario) {
    Table table{{}, kVerdict};
    for (const Verdicts::Finding& one : scenario.findings)
      table.add({one.rule, one.dimension, Door::own(word(one.status)), cell(one.score), one.weight,
                 one.message, one.expected_at,
                 some(evidence_table(one.evidence), document_.arena())});
    return table;
  }

  Record regressions() {
    if (!verdicts_.comparison)
      return {{"regression_analysis", kRegressions, {{}, {}, {}, {}, {}, {}, {}}}};
    const Verdicts::Comparison& comparison = *verdicts_.comparison;
    CellArena& arena = document_.arena();
    return {{"regression_analysis",
             kRegressions,
             {comparison.baseline, arena.keep(changes(comparison.regressions)),
              arena.keep(changes(comparison.improvements)), arena.keep(deltas(comparison)),
              arena.keep(undecided(comparison)), arena.keep(comparison.added),
              arena.keep(comparison.missing)}}};
  }

  Record history() {
    if (verdicts_.history.empty()) return {{"history", kHistory, {{}, {}}}};
    Table runs{{}, kRun}, first{{}, kFirstBad};
    for (const Verdicts::Run& one : verdicts_.history)
      runs.add({one.id, known(one.newest), one.passed, one.scenarios, cell(one.score),
                cell(one.figures[0]), cell(one.figures[1]), cell(one.figures[2]),
                cell(one.figures[3]), cell(one.figures[4])});
    for (const Verdicts::FirstBad& one : verdicts_.first_bad)
      first.add({one.subject, known(one.run), known(one.newest)});
    CellArena& arena = document_.arena();
    return {{"history", kHistory, {arena.keep(std::move(runs)), arena.keep(std::move(first))}}};
  }

  static Table changes(const std::vector<Verdicts::Change>& changes) {
    Table table{{}, kChange};
    for (const Verdicts::Change& change : changes)
      table.add({change.subject, change.what, cell(change.before), cell(change.now),
                 cell(change.delta), known(change.status_before), known(change.status_now),
                 known(change.bound)});
    return table;
  }

  static Table deltas(const Verdicts::Comparison& comparison) {
    Table table{{}, kDelta};
    for (const Verdicts::Delta& one : comparison.deltas)
      table.add({one.subject, one.what, one.before, one.now, one.delta, cell(one.share)});
    return table;
  }

  static Table undecided(const Verdicts::Comparison& comparison) {
    Table table{{}, kUnknownBound};
    for (const Verdicts::Undecided& one : comparison.undecided)
      table.add({one.subject, one.what, one.bound});
    return table;
  }

  const EvalReport& report_;
  const Verdicts& verdicts_;
  Document& document_;
};

}  // namespace

int64_t EvalReport::count(Judged status) const {
  int64_t count = 0;
  for (const ScenarioResult& result : results) count += result.status == status;
  return count;
}

bool EvalReport::passes() const {
  if (count(Judged::failed) > 0) return false;
  if (count(Judged::insufficient) > 0 && !accepts_insufficient) return false;
  if (!comparison) return true;
  return comparison->regressions.empty() && (comparison->unknown.empty() || accepts_insufficient);
}

std::optional<double> EvalReport::mean_of(size_t dimension) const {
  double sum = 0, count = 0;
  for (const ScenarioResult& result : results)
    if (result.scores[dimension]) sum += *result.scores[dimension], ++count;
  return count > 0 ? std::optional(sum / count) : std::nullopt;
}

Text EvalReport::place(const SuitePlace& at) const {
  return question.door.composed(fmt::format("{}:{}", text(at.path).view(), at.line));
}

Document report_of(const EvalReport& report) {
  Document document("eval");
  if (!report.passes()) document.say_no();
  if (report.question.face == Face::outline) {
    document.add(outline_of(report));
    // For the baseline; what nobody reads is not made.
    if (report.keeps_verdicts) document.judge(verdicts_of(report));
    return document;
  }
  add_preface("xtrace.eval/1", report.question, report.names, {}, document, Meanings::on_request,
              Covers::all);
  std::shared_ptr<const Verdicts> verdicts = verdicts_of(report);
  EvalTables(report, *verdicts, document).add();
  document.judge(std::move(verdicts));
  return document;
}

Shape shape_of_report() {
  static const std::vector<Section> kShape = shape_of_answer(
      {Record{{{}, kSuite}}, Record{{kSummary, kSummaryColumns}}, Table{kScenarios, kScenario},
       Record{{"regression_analysis", kRegressions}}, Record{{"history", kHistory}}});
  return kShape;
}

}  // namespace xtrace
