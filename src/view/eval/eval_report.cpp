#include "view/eval/eval_report.h"

#include <fmt/format.h>

#include "view/common/evidence.h"
#include "view/common/field.h"
#include "view/common/preface.h"
#include "view/eval/eval.h"

namespace xtrace {

namespace {

constexpr Column kVerdict[] = {
    {"rule", "the kind of what is expected", CellKind::text, true},
    {"dimension", "", CellKind::text, true},
    {"status", "passed, failed or insufficient_evidence", CellKind::text, true},
    {"score", "0 to 1; absent where there is insufficient evidence", CellKind::number},
    {"weight", "within its dimension", CellKind::number, true},
    {"message", "what was found, and what was expected", CellKind::text, true},
    {"expected_at", "where the suite says so", CellKind::text, true},
    {"evidence", "what decided it, causes first", CellKind::rows, false, kEvidence},
};
constexpr Column kInARow[] = {
    {"k", "so many trials in a row", CellKind::integer, true},
    {"chance", "that all of them pass: C(passed, k) / C(passed + failed, k)", CellKind::number,
     true},
};
constexpr Column kTrial[] = {
    {"trial", "the session, run, query or file", CellKind::text, true},
    {"status", "passed, failed or insufficient_evidence", CellKind::text, true},
    {"score", "the mean of its dimensions, by their weights", CellKind::number},
    {"message", "why nothing could be judged", CellKind::text},
    {"duration_ms", "from its first start to its last end", CellKind::milliseconds},
    {"verdicts", "what became of each expectation", CellKind::rows, true, kVerdict},
};
constexpr Column kScenario[] = {
    {"id", "", CellKind::text, true},
    {"description", "", CellKind::text},
    {"status", "passed, failed or insufficient_evidence", CellKind::text, true},
    {"score", "the mean of its dimensions, by their weights", CellKind::number},
    {"scores.tool_usage", "of what could be judged, 0 to 1", CellKind::number},
    {"scores.decision_quality", "likewise", CellKind::number},
    {"scores.error_handling", "likewise", CellKind::number},
    {"scores.limits", "likewise", CellKind::number},
    {"message", "why nothing could be judged", CellKind::text},
    {"duration_ms", "from its first start to its last end; of trials, all of theirs",
     CellKind::milliseconds},
    {"figures.cost_usd", "what was spent; of trials, here and below, their mean", CellKind::number},
    {"figures.calls", "of models", CellKind::number},
    {"figures.tokens", "", CellKind::number},
    {"figures.duration_s", "in seconds", CellKind::number},
    {"figures.errors", "of models and tools", CellKind::number},
    {"written_at", "where the suite has it", CellKind::text, true},
    {"verdicts", "what became of each expectation; of trials, see there", CellKind::rows, true,
     kVerdict},
    {"trials.each", "what it was tried on: each session, run, query or file", CellKind::text},
    {"trials.passed", "trials that passed", CellKind::integer},
    {"trials.failed", "trials that failed", CellKind::integer},
    {"trials.insufficient_evidence", "trials that could not be judged; in no share",
     CellKind::integer},
    {"trials.pass_rate", "share of those judged that passed", CellKind::number},
    {"trials.pass_rate_low", "of its 95% interval, by Wilson", CellKind::number},
    {"trials.pass_rate_high", "likewise", CellKind::number},
    {"trials.flaky", "some passed and some failed", CellKind::boolean},
    {"trials.pass_hat", "pass^k, as tau-bench has it", CellKind::rows, false, kInARow},
    {"trials.list", "each of them", CellKind::rows, false, kTrial},
};
constexpr Column kRun[] = {
    {"id", "as --save-baseline named it; `now` is this one", CellKind::text, true},
    {"newest", "when the last of its runs ended", CellKind::text},
    {"passed", "scenarios", CellKind::integer, true},
    {"total_scenarios", "", CellKind::integer, true},
    {"score", "the mean of what is known", CellKind::number},
    {"cost_usd", "of all scenarios together, as what follows", CellKind::number},
    {"calls", "", CellKind::number},
    {"tokens", "", CellKind::number},
    {"duration_s", "", CellKind::number},
    {"errors", "", CellKind::number},
};
constexpr Column kFirstBad[] = {
    {"id", "the scenario", CellKind::text, true},
    {"run", "since which it did not pass; absent: this one", CellKind::text},
    {"newest", "when the last of that run ended", CellKind::text},
};
constexpr Column kHistory[] = {
    {"runs", "those kept, in order of time, and this one", CellKind::rows, false, kRun},
    {"first_bad", "of scenarios that do not pass", CellKind::rows, false, kFirstBad},
};
constexpr Column kSuite[] = {
    {"suite", "the name of the suite", CellKind::text, true},
    {"suite_warnings", "what of it names tools that no run and no request has, or cannot be judged",
     CellKind::texts},
};
constexpr Column kSummaryColumns[] = {
    {"passes", "nothing failed, nothing got worse, and all could be judged", CellKind::boolean,
     true},
    {"pass_rate", "share of the scenarios that passed", CellKind::number, true},
    {"total_scenarios", "", CellKind::integer, true},
    {"passed", "", CellKind::integer, true},
    {"failed", "", CellKind::integer, true},
    {"insufficient_evidence", "scenarios that could not be judged", CellKind::integer, true},
    {"flaky_scenarios", "of whose trials some passed and some failed", CellKind::texts},
    {"avg_scores.tool_usage", "of the scenarios of which it is known", CellKind::number},
    {"avg_scores.decision_quality", "likewise", CellKind::number},
    {"avg_scores.error_handling", "likewise", CellKind::number},
    {"avg_scores.limits", "likewise", CellKind::number},
};
constexpr Column kChange[] = {
    {"id", "the scenario", CellKind::text, true},
    {"what", "status, score, or a dimension", CellKind::text, true},
    {"before", "", CellKind::number},
    {"now", "", CellKind::number},
    {"delta", "", CellKind::number},
    {"status_before", "", CellKind::text},
    {"status_now", "", CellKind::text},
    {"bound", "of a figure: what fail_if allows", CellKind::text},
};
constexpr Column kDelta[] = {
    {"id", "the scenario", CellKind::text, true},
    {"what", "cost (dollars), calls, tokens, duration (seconds) or errors", CellKind::text, true},
    {"before", "of trials, their mean", CellKind::number, true},
    {"now", "likewise", CellKind::number, true},
    {"delta", "", CellKind::number, true},
    {"share", "delta as a share of before; absent where that is 0", CellKind::number},
};
constexpr Column kUnknownBound[] = {
    {"id", "the scenario", CellKind::text, true},
    {"what", "the figure that is not on record", CellKind::text, true},
    {"bound", "what fail_if allows", CellKind::text, true},
};
constexpr Column kRegressions[] = {
    {"baseline", "its id", CellKind::text},
    {"regressions", "scores that dropped by more than 0.05, and what passed before", CellKind::rows,
     false, kChange},
    {"improvements", "scores that rose by as much, and what did not pass before", CellKind::rows,
     false, kChange},
    {"deltas", "what the runs took, beside the baseline", CellKind::rows, false, kDelta},
    {"undecided", "bounds of figures that are not on record on both sides", CellKind::rows, false,
     kUnknownBound},
    {"new_scenarios", "which the baseline does not have", CellKind::texts},
    {"missing_scenarios", "which it alone has", CellKind::texts},
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
